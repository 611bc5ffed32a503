import Foundation

/// The body of a ``StreamingResponse``, in chunks as they are received.
public struct StreamingBody: AsyncSequence, Sendable {
    let chunks: TransportBodyStream
    private let response: Response

    init(_ chunks: TransportBodyStream, of response: Response) {
        self.chunks = chunks
        self.response = response
    }

    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: TransportBodyStream.Iterator
        let response: Response

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: ``MoyaError/underlying(_:_:)`` with the `URLError` or the `RequestBodyError` that ended the exchange, and
        ///   the response.
        public mutating func next() async throws(MoyaError) -> Data? {
            do {
                return try await chunks.next()
            } catch {
                throw failure(error)
            }
        }

        /// Returns the error of a read that has failed.
        func failure(_ error: any Error) -> MoyaError { .underlying(error, response) }
    }

    /// Starts reading; a second iterator fails with `URLError.resourceUnavailable`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), response: response)
    }
}
