import Foundation

/// The part of an instrument that observes whole requests, with all their attempts, and those that the cache answers.
package protocol RequestInstrument: Sendable {
    /// Performs a request, whose stages run in the task-local values that the instrument sets.
    ///
    /// - Parameters:
    ///   - request: The request as it was created.
    ///   - context: The context of the request.
    ///   - perform: Passes the request on.
    /// - Returns: The response, whose body the instrument may observe.
    /// - Throws: The error of the request.
    nonisolated(nonsending) func observe(
        _ request: URLRequest,
        _ context: RequestContext,
        by perform: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse
}

extension TransportResponse {
    /// Returns the same response, and calls a function once when the body has ended, now or while it is read: with the number of its
    /// bytes, and the error or `URLError.cancelled` if it was not read to its end.
    package func observingEnd(
        _ onEnd: @escaping @Sendable (_ bytes: Int64?, _ error: (any Error)?) -> Void
    ) -> TransportResponse {
        switch body {
        case .complete(let data):
            onEnd(Int64(data.count), nil)
            return self
        case .stream where isSaved:
            onEnd(nil, nil)
            return self
        case .stream(let stream):
            let count = Locked(Int64(0))
            var response = self
            response.body = .stream(
                stream.observed { chunk in
                    count.withLock { $0 += Int64(chunk.count) }
                } onEnd: { error in
                    onEnd(count.withLock { $0 }, error)
                }
            )
            return response
        }
    }
}
