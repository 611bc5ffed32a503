/// The lines of a ``StreamingResponse``.
public struct StreamingLines: AsyncSequence, Sendable {
    let body: StreamingBody
    let maximumLength: Int

    /// An iterator over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: StreamingBody.Iterator
        var splitter: LineSplitter
        var isAtEnd = false

        /// Returns the next line, or `nil` at the end; the last line needs no line end.
        ///
        /// - Throws: ``MoyaError``.
        public mutating func next() async throws(MoyaError) -> String? {
            while true {
                do throws(StreamLimitError) {
                    if let line = try splitter.next() { return line }
                } catch {
                    throw chunks.failure(error)
                }
                guard !isAtEnd else { return nil }
                if let chunk = try await chunks.next() {
                    splitter.push(chunk)
                } else {
                    isAtEnd = true
                    splitter.finish()
                }
            }
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            chunks: body.makeAsyncIterator(),
            splitter: LineSplitter(ends: .newlines, maximumLength: maximumLength)
        )
    }
}
