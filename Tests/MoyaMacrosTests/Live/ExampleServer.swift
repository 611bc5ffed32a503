#if Macros
import Foundation
import TestServers

/// A server for the example's API: each request is stored and gets a response by its method and path.
final class ExampleServer: Sendable {
    struct Response: Sendable {
        var status = "200 OK"
        var type = "application/json"
        var body = ""
    }

    let baseURL: URL

    private let server: RawServer
    private let record: Record

    init(_ responses: [String: Response]) async throws {
        let record = Record()
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                let body = try await connection.body()
                await record.add(RecordedRequest(head: head, body: body))
                let response =
                    responses["\(head.method) \(head.path)"] ?? Response(status: "404 Not Found", body: "{}")
                let length =
                    response.status.hasPrefix("204") || response.status.hasPrefix("304")
                    ? "" : "Content-Length: \(response.body.utf8.count)\r\n"
                try await connection.writer.write(
                    "HTTP/1.1 \(response.status)\r\nContent-Type: \(response.type)\r\n\(length)\r\n"
                        + (head.method == "HEAD" ? "" : response.body)
                )
            }
        }
        self.record = record
        baseURL = server.url("")
    }

    /// The last request.
    var last: RecordedRequest? { get async { await record.requests.last } }

    func shutDown() async { await server.shutDown() }

    private actor Record {
        private(set) var requests: [RecordedRequest] = []

        func add(_ request: RecordedRequest) { requests.append(request) }
    }
}

struct RecordedRequest: Sendable {
    let head: RequestHead
    let body: Data

    /// The method, the path and the query.
    var line: String { "\(head.method) \(head.target)" }

    var text: String { String(decoding: body, as: UTF8.self) }
}
#endif
