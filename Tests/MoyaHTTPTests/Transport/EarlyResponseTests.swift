import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A server may respond before it has read the body", .timeLimit(.minutes(5)))
struct EarlyResponseTests {
    static let paths = ["/early", "/earlyUnread", "/earlyCloses"]

    #if NIO && !canImport(Darwin)
    @Test("an early response arrives, and an endless sequence is released", arguments: paths, TransportKind.overNIO)
    func endlessSequence(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            let request = TransportRequest(method: .post, url: server.url(path), body: .sequence(endless))
            try await expectRefusal(transport.send(request))
            await endless.waitForRelease()
        }
        await server.shutDown()
    }

    @Test(
        "a connection that closes after an early response to one of many small bodies ends only its exchange",
        arguments: TransportKind.overNIO
    )
    func closesAfterAnswer(kind: TransportKind) async throws {
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = try await connection.bodyPiece()
        }
        let ended = Locked(0)
        try await kind.withTransport { transport in
            await withTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask {
                        for _ in 0..<100 {
                            let body = HTTPBody.data(Data(repeating: 1, count: 1000))
                            let request = TransportRequest(method: .post, url: server.url(), body: body)
                            let response = try? await transport.send(request)
                            #expect(response?.status ?? 200 == 200)
                            ended.withLock { $0 += 1 }
                        }
                    }
                }
            }
        }
        #expect(ended.withLock { $0 } == 1600)
        await server.shutDown()
    }

    @Test("an early response cancels a body's sequence that waits", arguments: paths, TransportKind.overNIO)
    func waitingSequence(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody(waitsAfter: 1)
            let request = TransportRequest(method: .post, url: server.url(path), body: .sequence(endless))
            try await expectRefusal(transport.send(request))
            await endless.waitForRelease()
            // The response may arrive before anything is read.
            #expect(endless.wasCancelled || endless.pieces <= 1)
        }
        await server.shutDown()
    }

    @Test(
        "an early response arrives, and a long file or stream is released",
        arguments: paths,
        TransportKind.overNIO
    )
    func files(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        let file = try TemporaryFile()
        try file.truncate(at: 200 << 20)
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            for body: HTTPBody in [.file(file.url), .stream(endless.stream())] {
                let request = TransportRequest(method: .put, url: server.url(path), body: body)
                try await expectRefusal(transport.send(request))
            }
            await endless.waitForRelease()
            try await file.waitForDescriptors()
        }
        await server.shutDown()
    }

    @Test(
        "no upload progress is reported after the end of a session's request",
        arguments: paths,
        TransportKind.overNIO
    )
    func session(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            let counts = Locked<[Int64]>([])
            var request = URLRequest(url: server.url(path))
            request.httpMethod = "POST"
            let response = try await Session(transport: transport)
                .data(for: request, body: .sequence(endless)) { _ in
                } uploadProgress: { progress in
                    counts.withLock { $0.append(progress.completedUnitCount) }
                }
            #expect(response.statusCode == 413)
            #expect(response.data == Data(UploadServer.refusal.utf8))
            await endless.waitForRelease()
        }
        await server.shutDown()
    }
    #endif

    @Test("an early response to a body in memory arrives", arguments: paths, TransportKind.allCases)
    func bytes(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        for count in [10, 100_000, 8 << 20] {
            // libcurl does not send bytes that the server does not read, and waits.
            if path == "/earlyUnread", kind == .urlSession, foundationIsOnLinux, count > 100_000 { continue }
            // A separate connection for each: a server that does not read does not receive a second request.
            try await kind.withTransport { transport in
                let body = HTTPBody.data(Data(count: count))
                let request = TransportRequest(method: .post, url: server.url(path), body: body)
                try await expectRefusal(transport.send(request))
            }
        }
        await server.shutDown()
    }

    @Test(
        "a connection that is reset while the early response is in transit ends the exchange",
        arguments: TransportKind.allCases
    )
    func reset(kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let body = HTTPBody.stream(InputStream(data: Data(count: 8 << 20)))
            let request = TransportRequest(method: .post, url: server.url("/earlyResets"), body: body)
            switch await Result.of({ try await transport.send(request) }) {
            case .success(let response): #expect(response.status == 413)
            case .failure(let error as URLError): #expect(error.code == .networkConnectionLost, "\(error)")
            case .failure(let error): Issue.record("\(error)")
            }
        }
        await server.shutDown()
    }

    private func expectRefusal(_ response: TransportResponse) async throws {
        #expect(response.status == 413)
        let body = try await response.collected()
        #expect(body == Data(UploadServer.refusal.utf8))
    }
}
