import Foundation

/// A response body as an async sequence of chunks, which can be read once.
///
/// A chunk is requested after the previous one has been taken, so a slow reader slows down the sender. Leaving the
/// loop before the end, or releasing an unread stream, closes the exchange.
public struct TransportBodyStream: AsyncSequence, Sendable {
    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let produce: @Sendable () async throws -> Data?

        /// Returns the next chunk, or `nil` at the end.
        public mutating func next() async throws -> Data? { try await produce() }
    }

    // The iterator takes the source, so that its lifetime is that of the reader and not of the stream.
    private let source: Locked<(@Sendable () async throws -> Data?)?>

    /// Creates a stream from a function that returns the next chunk, or `nil` at the end, or throws `URLError`.
    ///
    /// Calls do not overlap. The function is released with the reader.
    public init(next: @escaping @Sendable () async throws -> Data?) { source = Locked(next) }

    /// Creates a stream from any body.
    public init(_ body: TransportBody) {
        switch body {
        case .stream(let stream):
            self = stream
        case .complete(let data):
            let rest = Locked(data)
            self.init {
                let data = rest.withLock { rest in
                    defer { rest = Data() }
                    return rest
                }
                return data.isEmpty ? nil : data
            }
        }
    }

    /// Starts reading.
    ///
    /// A second iterator throws `URLError.resourceUnavailable`.
    public func makeAsyncIterator() -> Iterator {
        let source = source.withLock { source in
            defer { source = nil }
            return source
        }
        return Iterator(produce: source ?? { throw URLError.readTwice })
    }
}

extension URLError {
    fileprivate static var readTwice: URLError {
        .make(
            .resourceUnavailable,
            url: nil,
            reason: "The response's body has been read already; it can be read only once."
        )
    }
}
