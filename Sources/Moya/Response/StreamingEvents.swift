/// The server-sent events of a ``StreamingResponse``.
public struct StreamingEvents: AsyncSequence, Sendable {
    let body: StreamingBody
    let maximumSize: Int

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: StreamingBody.Iterator
        var parser: EventStreamParser

        /// Returns the next event, or `nil` at the end; an incomplete event at the end is dropped.
        ///
        /// - Throws: ``MoyaError``.
        public mutating func next() async throws(MoyaError) -> ServerSentEvent? {
            while let output = try await nextOutput() {
                if case .event(let event) = output { return event }
            }
            return nil
        }

        mutating func nextOutput() async throws(MoyaError) -> EventStreamParser.Output? {
            while true {
                do throws(StreamLimitError) {
                    if let output = try parser.next() { return output }
                } catch {
                    throw chunks.failure(error)
                }
                guard let chunk = try await chunks.next() else { return nil }
                parser.push(chunk)
            }
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { makeAsyncIterator(lastEventID: "") }

    func makeAsyncIterator(lastEventID: String) -> Iterator {
        Iterator(
            chunks: body.makeAsyncIterator(),
            parser: EventStreamParser(
                lastEventID: lastEventID,
                maximumLineLength: maximumSize,
                maximumEventSize: maximumSize
            )
        )
    }
}
