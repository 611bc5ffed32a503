#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import TestServers

@testable import MoyaHTTP

/// The output of an upgrade, to which a test adds pieces.
///
/// It records whether it is read, and can be read once.
final class UpgradeOutput: AsyncSequence, Sendable {
    /// Fulfilled when nothing can read the output any more.
    let released = Promise<Void>()
    private let stream: AsyncStream<Data>
    private let continuation: AsyncStream<Data>.Continuation
    private let isBegun = Locked(false)

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Whether reading has begun.
    var hasBegun: Bool { isBegun.withLock { $0 } }

    /// Adds a piece.
    func send(_ text: String) { continuation.yield(Data(text.utf8)) }

    /// Ends the output.
    func finish() { continuation.finish() }

    func makeAsyncIterator() -> Iterator {
        isBegun.withLock { $0 = true }
        return Iterator(base: stream.makeAsyncIterator(), released: released)
    }

    final class Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<Data>.AsyncIterator
        private let released: Promise<Void>

        init(base: AsyncStream<Data>.AsyncIterator, released: Promise<Void>) {
            (self.base, self.released) = (base, released)
        }

        func next() async -> Data? {
            var base = base
            defer { self.base = base }
            return await base.next()
        }

        deinit { released.fulfill(()) }
    }
}

/// The input of an upgrade, which a test reads in pieces of its choice.
struct UpgradeInput {
    private var iterator: TransportBodyStream.Iterator
    private var buffer = ""

    init(_ stream: TransportBodyStream) { iterator = stream.makeAsyncIterator() }

    /// Returns this number of bytes as text, or fewer at the end.
    mutating func text(_ count: Int) async throws -> String {
        while buffer.utf8.count < count, let chunk = try await iterator.next() {
            buffer += String(decoding: chunk, as: UTF8.self)
        }
        defer { buffer = String(buffer.dropFirst(count)) }
        return String(buffer.prefix(count))
    }

    /// Returns the rest as text.
    mutating func rest() async throws -> String { try await text(.max) }
}

extension TransportRequest {
    /// Creates a request for an upgrade to a WebSocket.
    static func upgrade(
        _ url: URL,
        sending output: some AsyncSequence<Data, Never> & Sendable,
        headers: HTTPFields = [:],
        idleTimeout: Duration = .seconds(60),
        exchangeTimeout: Duration = .seconds(600)
    ) -> TransportRequest {
        var request = TransportRequest(
            method: .get,
            url: url,
            headers: headers,
            idleTimeout: idleTimeout,
            exchangeTimeout: exchangeTimeout
        )
        request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(output))
        return request
    }
}

extension RawConnection {
    /// The head of a response that agrees to an upgrade.
    static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

    /// Reads a request, and agrees to its upgrade; returns its head, or `nil` if the client closes the connection.
    func acceptUpgrade() async throws -> RequestHead? {
        guard let head = try await head() else { return nil }
        try await writer.write(Self.switching)
        return head
    }

    /// Returns bytes to the client until it ends its direction.
    func echo() async throws {
        while let bytes = try await read() { try await writer.write(bytes) }
    }

    /// Reads bytes of the other protocol until there are this many, as text.
    func text(_ count: Int) async throws -> String {
        var text = ""
        while text.utf8.count < count, let bytes = try await read() { text += String(buffer: bytes) }
        return text
    }
}
#endif
