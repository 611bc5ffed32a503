import Foundation
import Moya

/// A way into the pipeline.
package struct EntryPoint: Sendable, CustomStringConvertible {
    /// An event that a caller receives.
    package enum Event: Equatable, Sendable {
        case progress(Double)
        case response(Int, Data)
        /// What the body was decoded as.
        case message(String)
        case failure(String)
        case end

        /// Whether nothing may follow.
        package var isLast: Bool {
            switch self {
            case .failure, .end: true
            case .progress, .response, .message: false
            }
        }
    }

    /// What a caller requests.
    package enum ResultKind: Sendable {
        case response
        /// The response, and how far it has come.
        case progress
        /// The message in the response's JSON.
        case message
        /// The same, as the typed target's answer.
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
    /// Starts a call, and returns a function that cancels it.
    package let open: Open

    package init(_ name: String, hasQueues: Bool = true, reportsCancellation: Bool, open: @escaping Open) {
        self.name = name
        self.hasQueues = hasQueues
        self.reportsCancellation = reportsCancellation
        self.open = open
    }

    package var description: String { name }
}

/// What the cases' JSON has.
package struct Message: Decodable, Sendable {
    package var message: String
}

/// What the body of a refused response has.
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
        // An endpoint's sample response has its errors so.
        default: "\((error as NSError).domain) \((error as NSError).code)"
        }
    }
}
