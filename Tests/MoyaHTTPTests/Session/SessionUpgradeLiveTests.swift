#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("An upgrade of a session is a request like any other", .timeLimit(.minutes(5)))
struct SessionUpgradeLiveTests {
    @Test("authentication, cookies, adapters and redirects precede the upgrade, and the output is read once")
    func pipeline() async throws {
        let requests = Locked<[RequestHead]>([])
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                requests.withLock { $0.append(head) }
                switch head.target {
                case "/":
                    try await connection.writer.write(
                        "HTTP/1.1 302 x\r\nLocation: /chat\r\nSet-Cookie: a=b\r\nContent-Length: 5\r\n\r\nmoved"
                    )
                case _ where head["authorization"] == nil:
                    try await connection.writer.write(
                        "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno"
                    )
                default:
                    try await connection.writer.write("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSet-Cookie: c=d\r\n\r\n")
                    return try await connection.echo()
                }
            }
        }
        let cookies = CookieJar()
        let adapter = NotingAdapter(["X-Adapted": "yes"])
        let transport = NIOTransport()
        let session = Session.alone(on: transport, interceptor: adapter, cookieStorage: cookies)
        let record = RequestRecord()
        record.setCredential(URLCredential(user: "u", password: "p", persistence: .none))
        let output = UpgradeOutput()
        let response = try await session.upgrade(
            URLRequest(url: server.url()),
            to: ProtocolUpgrade(to: "websocket", sending: .sequence(output)),
            record: record
        )
        guard case .upgraded(let head, let stream) = response else {
            Issue.record("refused")
            return
        }
        #expect(head.statusCode == 101 && head.url == server.url("/chat"))
        var input = UpgradeInput(stream)
        output.send("echo")
        try await expectEqual(input.text(4), "echo")
        let all = requests.withLock { $0 }
        #expect(all.map(\.target) == ["/", "/chat", "/chat"])
        #expect(all.allSatisfy { $0["upgrade"] == "websocket" && $0["x-adapted"] == "yes" })
        #expect(all.map { $0["cookie"] } == [nil, "a=b", "a=b"])
        #expect(all.last?["authorization"] == "Basic \(Data("u:p".utf8).base64EncodedString())")
        #expect(cookies.cookies(for: server.url()).map(\.name).sorted() == ["a", "c"])
        #expect(adapter.adapted == ["0 /", "1 /chat"])
        output.finish()
        try await expectEqual(input.rest(), "")
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("a refused upgrade is returned with its body, and the input of another one keeps the transport")
    func refusalAndLifetime() async throws {
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                guard head.target != "/no" else {
                    try await connection.writer.write("HTTP/1.1 403 x\r\nContent-Length: 9\r\n\r\nforbidden")
                    continue
                }
                try await connection.writer.write(RawConnection.switching)
                return try await connection.echo()
            }
        }
        let output = UpgradeOutput()
        let upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(output))
        var input: UpgradeInput
        do {
            let session = Session.alone(on: NIOTransport())
            let refusal = try await session.upgrade(
                URLRequest(url: server.url("/no")),
                to: upgrade,
                record: RequestRecord()
            )
            guard case .refused(let response) = refusal else {
                Issue.record("upgraded")
                return
            }
            #expect(response.statusCode == 403 && response.text == "forbidden")
            let agreement = try await session.upgrade(
                URLRequest(url: server.url()),
                to: upgrade,
                record: RequestRecord()
            )
            guard case .upgraded(_, let stream) = agreement else {
                Issue.record("refused")
                return
            }
            input = UpgradeInput(stream)
        }
        output.send("kept")
        try await expectEqual(input.text(4), "kept")
        output.finish()
        try await expectEqual(input.rest(), "")
        await server.shutDown()
    }
}
#endif
