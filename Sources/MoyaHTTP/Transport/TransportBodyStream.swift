import Foundation

/// A body as it arrives, chunk by chunk. It can be read once.
///
/// A chunk is asked for when the one before has been taken, so a slow reader slows the sender down. Leaving the loop before
/// the end, or letting go of a stream that nobody has begun to read, closes the exchange.
public struct TransportBodyStream: AsyncSequence, Sendable {
    /// Reads the chunks.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let produce: @Sendable () async throws -> Data?

        /// The next chunk, or `nil` at the end.
        public mutating func next() async throws -> Data? { try await produce() }
    }

    // Whoever reads takes the source out, so that it goes with the reader and not with the stream.
    private let source: Locked<(@Sendable () async throws -> Data?)?>

    /// Makes a stream from a function that gives the next chunk, `nil` at the end, or throws `URLError`.
    ///
    /// It is called again only after it has returned, and let go of when the reader is.
    public init(next: @escaping @Sendable () async throws -> Data?) { source = Locked(next) }

    /// A stream of what is there, or still to come.
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

    /// Begins to read. A second reader gets `URLError.resourceUnavailable`.
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
        .exchange(
            .resourceUnavailable,
            url: nil,
            reason: "The response's body has been read already; it can be read once."
        )
    }
}
