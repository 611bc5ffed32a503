import Foundation
import Moya
import MoyaHTTP
import TestSupport

/// A provider whose requests wait until a test responds to them.
package final class ManualProvider: MoyaProvider<EntryPointTarget>, @unchecked Sendable {
    /// A pending request.
    package struct Request: Sendable {
        package let queue: DispatchQueue?
        package let progress: ProgressBlock?
        package let completion: Completion
        package let token: CancellableToken

        /// Reports progress, out of 100.
        package func advance(to count: Int64) {
            let counted = Progress(totalUnitCount: 100)
            counted.completedUnitCount = count
            progress?(ProgressResponse(progress: counted))
        }

        /// Ends the request as a provider does: makes the final progress call, and then calls the completion.
        package func end(_ result: Result<Response, MoyaError>) {
            progress?(ProgressResponse(response: try? result.get()))
            completion(result)
        }
    }

    /// The requests in the order of their arrival.
    package let requests = Recorder<Request>()
    /// One element for each cancelled request.
    package let cancellations = Recorder<Void>()

    package override func request(
        _ target: EntryPointTarget,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Moya.Cancellable {
        let token = CancellableToken { [cancellations] in cancellations.add(()) }
        requests.add(Request(queue: callbackQueue, progress: progress, completion: completion, token: token))
        return token
    }
}

extension Response {
    /// Returns a response with a text.
    package static func text(_ text: String, status: Int = 200) -> Response {
        Response(statusCode: status, data: Data(text.utf8))
    }
}
