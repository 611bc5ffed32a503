#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import MoyaAsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("An upload needs little memory")
struct UploadMemoryTests {
    @Test("little of an upload's body is read while the event loops are busy")
    func busyEventLoops() async throws {
        let server = try await UploadServer()
        // Separate event loops, because other tests need theirs.
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let client = HTTPClient(eventLoopGroupProvider: .shared(loops))
        let pieces = CountedPieces(count: 256, loops: loops)
        do {
            let transport = AsyncHTTPClientTransport(client: client)
            var request = TransportRequest(method: .post, url: server.url("/sink"))
            request.body = .sequence(pieces, length: Int64(256 * CountedPieces.size))
            let text = try await String(decoding: transport.send(request).collected(), as: UTF8.self)
            #expect(text == "\(256 * CountedPieces.size)")
        }
        let count = pieces.takenMeanwhile.withLock { $0 }
        #expect(count <= CountedPieces.limit, "\(count) pieces of 128 KiB were read")
        try await client.shutdown()
        try await loops.shutdownGracefully()
        await server.shutDown()
    }
}

/// Pieces that keep all event loops busy, and count the pieces taken meanwhile.
private struct CountedPieces: AsyncSequence, Sendable {
    static let size = 128 * 1024
    static let limit = 16

    let takenMeanwhile = Locked(0)
    let count: Int
    let loops: any EventLoopGroup

    init(count: Int, loops: any EventLoopGroup) {
        self.count = count
        self.loops = loops
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: CountedPieces
        var index = 0
        /// The number of busy event loops.
        let busy = Locked(0)
        let tooMany = DispatchSemaphore(value: 0)

        mutating func next() async throws -> Data? {
            index += 1
            if index == 4 { keepEventLoopsBusy() }
            if busy.withLock({ $0 > 0 }) {
                let taken = pieces.takenMeanwhile.withLock { taken in
                    taken += 1
                    return taken
                }
                if taken > CountedPieces.limit { tooMany.signal() }
            }
            return index > pieces.count ? nil : Data(repeating: 1, count: CountedPieces.size)
        }

        /// Keeps the loops busy until too many pieces were taken, or for a second, in which thousands could be taken.
        private func keepEventLoopsBusy() {
            for loop in pieces.loops.makeIterator() {
                busy.withLock { $0 += 1 }
                loop.execute { [busy, tooMany] in
                    if tooMany.wait(timeout: .now() + 1) == .success { tooMany.signal() }
                    busy.withLock { $0 -= 1 }
                }
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
#endif
