import Foundation

/// The content that is sent in addition to a `URLRequest`, and compared with it.
enum StreamedContent: Hashable, Sendable {
    case file(URL)
    case form([MultipartFormData], boundary: String?)
    case body(HTTPBody)
}

extension HTTPTask {
    /// The content that is streamed and therefore not part of the request.
    var streamedContent: StreamedContent? {
        switch self {
        case .uploadFile(let file):
            return .file(file)
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _):
            return .form(parts, boundary: nil)
        case .requestParameters:
            // The features of a task that are not cases, such as `uploadBody`, are stored in this case.
            switch ExtendedTask(of: self)?.kind {
            case .body(let body, _): return .body(body)
            case .form(let parts, let boundary): return .form(parts, boundary: boundary)
            case .gzipped(let task), .query(let task, _, _), .page(let task, _), .reference(let task, _):
                return task.streamedContent
            case nil: return nil
            }
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .requestCompositeData,
            .requestCompositeParameters, .downloadDestination, .downloadParameters:
            return nil
        }
    }
}
