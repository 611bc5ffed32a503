import Foundation
import Moya

/// An entry point of the pipeline.
package struct EntryPoint: Sendable, CustomStringConvertible {
    /// An event that a caller receives.
    package enum Event: Equatable, Sendable {
        case progress(Double)
        case response(Int, Data)
        /// The decoded body.
        case message(String)
        case failure(String)
        case end

        /// Whether the event is the last one.
        package var isLast: Bool {
            switch self {
            case .failure, .end: true
            case .progress, .response, .message: false
            }
        }
    }

    /// The kind of result that a caller requests.
    package enum ResultKind: Sendable {
        case response
        /// The response with its progress.
        case progress
        /// The message in the response's JSON.
        case message
        /// The same message as the typed target's output.
        case output
    }

    /// One call of an entry point.
    package struct Call: Sendable {
        package var provider: MoyaProvider<EntryPointTarget>
        package var target: EntryPointTarget
        package var queue: DispatchQueue?
        package var resultKind = ResultKind.response
    }

    package typealias Open = @Sendable (Call, _ receive: @escaping @Sendable (Event) -> Void) -> @Sendable () -> Void

    package let name: String
    /// Whether results are delivered on a queue: the requested one, or the main queue.
    package let hasQueues: Bool
    /// Whether a cancelled caller receives an error; otherwise it receives nothing more.
    package let reportsCancellation: Bool
    /// Starts a call and returns a function that cancels it.
    package let open: Open

    package init(_ name: String, hasQueues: Bool = true, reportsCancellation: Bool, open: @escaping Open) {
        self.name = name
        self.hasQueues = hasQueues
        self.reportsCancellation = reportsCancellation
        self.open = open
    }

    package var description: String { name }
}

/// The JSON that the servers and stubs of the cases return.
package struct Message: Decodable, Sendable {
    package var message: String
}

/// The body of a refused response.
package struct Refusal: Decodable, Error {
    package var reason: String
}

extension EntryPoint.Event {
    package init(_ message: Message) { self = .message(message.message) }

    package init(_ response: Response) { self = .response(response.statusCode, response.data) }

    package init(_ progress: ProgressResponse) {
        self = progress.response.map { EntryPoint.Event($0) } ?? .progress(progress.progress)
    }

    package init(_ error: MoyaError) { self = .failure(Self.name(of: error)) }

    private static func name(of error: any Error) -> String {
        switch error {
        case MoyaError.underlying(let error, let response):
            "underlying \(name(of: error))\(response.map { " with \($0.statusCode)" } ?? "")"
        case MoyaError.statusCode(let response): "statusCode \(response.statusCode)"
        case MoyaError.jsonMapping: "jsonMapping"
        case MoyaError.objectMapping: "objectMapping"
        case let refusal as Refusal: "refusal: \(refusal.reason)"
        case let error as URLError where error.code == .cancelled: "cancelled"
        case let error as URLError where error.code == .cannotConnectToHost: "cannotConnectToHost"
        case let error as URLError where error.code == .networkConnectionLost: "networkConnectionLost"
        case let error as URLError: "URLError \(error.code.rawValue)"
        // A stub provides its errors as NSError.
        default: "\((error as NSError).domain) \((error as NSError).code)"
        }
    }
}
