#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Resumed downloads use few connections", .timeLimit(.minutes(5)))
struct ResumptionConnectionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Downloads several files at the same time over as many connections; returns the number of failures.
    private func download(_ count: Int, from server: RawServer) async throws -> Int {
        var configuration = TransportConfiguration()
        configuration.usesSystemProxies = false
        configuration.maximumConnectionsPerHost = count
        configuration.connectionPoolTimeout = .seconds(60)
        let transport = try NIOTransport(connection: configuration)
        let session = Session(transport: transport)
        return try await transport.shutDown {
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<count {
                    let file = folder.file("\(number)")
                    group.addTask {
                        let request = URLRequest(url: server.url("/\(number)"))
                        let destination: DownloadRequest.Destination = { _, _ in (file, .resumesWhenInterrupted) }
                        return (try? await session.download(request, to: destination)) != nil
                    }
                }
                return await group.reduce(into: 0) { if !$1 { $0 += 1 } }
            }
        }
    }

    @Test("each concurrent download is resumed over one connection", arguments: [1, 3])
    func allConnections(count: Int) async throws {
        let body = Pattern().bytes(300_000)
        let isBroken = Locked(true)
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                let isBroken = isBroken.withLock { $0 }
                if let start = head["range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) {
                    if isBroken { return }
                    let range = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"
                    try await connection.writer.write(
                        "HTTP/1.1 206 -\r\nETag: \"v\"\r\n\(range)\r\nContent-Length: \(body.count - start)\r\n\r\n"
                    )
                    try await connection.writer.write(Data(body.dropFirst(start)))
                } else {
                    // The whole file is never sent, so no download may wait for it.
                    try await connection.writer.write(
                        "HTTP/1.1 200 -\r\nETag: \"v\"\r\nContent-Length: \(body.count)\r\n\r\n"
                    )
                    try await connection.writer.write(Data(body.prefix(100_000)))
                    if isBroken { return }
                }
            }
        }
        #expect(try await download(count, from: server) == count)
        isBroken.withLock { $0 = false }
        #expect(try await download(count, from: server) == 0)
        for number in 0..<count { #expect(try Data(contentsOf: folder.file("\(number)")) == Data(body)) }
        await server.shutDown()
    }
}
#endif
