import Foundation
import Moya

/// Logs the names of the parts of each form.
final class UploadLog: PluginType {
    private let print: (String) -> Void

    init(print: @escaping (String) -> Void) {
        self.print = print
    }

    func willSend(_ request: RequestType, target: TargetType) {
        switch target.task {
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _):
            let names = parts.map { $0.fileName ?? $0.name }
            print("\(target.path): \(names.joined(separator: ", "))")
        default:
            print("\(target.path): \(request.request?.url?.query ?? "no query")")
        }
    }
}
