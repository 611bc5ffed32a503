import Foundation
import Moya

/// An error in one line.
struct ErrorText: CustomStringConvertible, Equatable {
    let description: String

    init(_ error: any Error) {
        guard case MoyaError.underlying(let cause as URLError, _) = error else {
            description = error.localizedDescription
            return
        }
        description = "\(cause.localizedDescription) (URLError \(cause.code.rawValue))"
    }
}
