#if NIO
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("The demo's server counts uploaded bytes and sends streams", .timeLimit(.minutes(5)))
struct DemoServerBytesTests {
    @Test(
        "a download from the demo's server contains the requested number of bytes of the pattern",
        arguments: [0, 1, 65_537, 1_048_574, 3_000_000]
    )
    func bytes(_ count: Int) async throws {
        let response = try await send("bytes/\(count)")
        #expect(response.statusCode == 200)
        #expect(response.headers[.contentLength] == "\(count)")
        var check = ByteCheck()
        check.receive(response.data)
        #expect(check.receipt == ByteReceipt(bytes: Int64(count), content: Int64(count)))
    }

    @Test(
        "the demo's server responds with 422 to an invalid number of bytes",
        arguments: ["-1", "many", "1.5", "99999999999999999999"]
    )
    func badCount(_ count: String) async throws {
        let response = try await send("bytes/\(count)")
        #expect(response.statusCode == 422)
    }

    @Test(
        "the demo's server counts uploaded bytes, and the bytes of the pattern among them",
        arguments: [0, 1, 3_000_000]
    )
    func taken(_ count: Int) async throws {
        var data = Data()
        while data.count < count { data.append(BytePattern.data.prefix(count - data.count)) }
        let response = try await send("bytes") { [data] request in
            request.httpMethod = "POST"
            request.httpBody = Data("text ".utf8) + data
        }
        let receipt = try JSONDecoder().decode(ByteReceipt.self, from: response.data)
        #expect(receipt == ByteReceipt(bytes: Int64(count) + 5, content: Int64(count)))
    }

    @Test(
        "the demo's server sends the readme in gzip only to clients that accept it",
        arguments: [("gzip", "gzip"), ("identity", nil)]
    )
    func readme(_ accepted: String, _ coding: String?) async throws {
        let response = try await send("readme") { $0.setValue(accepted, forHTTPHeaderField: "Accept-Encoding") }
        #expect(response.headers[.contentEncoding] == coding)
        #expect(response.data == Data(DemoData.readme.utf8))
    }

    @Test(
        "each response of the demo's server contains up to three events after the client's last ID, and the end is a 204",
        arguments: [
            (nil, 200, [1, 2, 3]), ("2", 200, [3, 4, 5]), ("4", 200, [5]), ("5", 204, []), ("6", 204, []),
            ("-1", 200, [1, 2, 3]), ("nonsense", 200, [1, 2, 3]),
        ] as [(String?, Int, [Int])]
    )
    func events(after last: String?, _ status: Int, _ ids: [Int]) async throws {
        let response = try await send("activity") { $0.setValue(last, forHTTPHeaderField: "Last-Event-ID") }
        #expect(response.statusCode == status)
        let lines = String(decoding: response.data, as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("id: ") } == ids.map { "id: \($0)" })
    }

    private func send(_ path: String, change: (inout URLRequest) -> Void = { _ in }) async throws -> SessionResponse {
        try await DemoServer.run { server in
            var request = URLRequest(url: try #require(URL(string: "\(server.baseURL.absoluteString)/\(path)")))
            change(&request)
            return try await Session.default.data(for: request)
        }
    }
}
#endif
