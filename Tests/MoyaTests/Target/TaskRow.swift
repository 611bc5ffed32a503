import Foundation
import Moya
import TestSupport
import Testing

/// A task, and the request that a server receives for it.
struct TaskRow: Sendable, CustomTestStringConvertible {
    let name: String
    var method: Moya.Method = .post
    var headers: [String: String]?
    /// The query of the target's URL.
    var baseQuery = ""
    /// Creates a new task for each request, because some tasks can be sent only once.
    let task: @Sendable (TemporaryFolder) throws -> HTTPTask

    /// The query that the server receives.
    var query = ""
    /// The headers that the server receives, with names in lower case, without the length.
    var sent: [String] = []
    /// The body that the server receives; `nil` for none.
    var body: Data?
    /// Whether the body is read while it is sent.
    var isStreamed = false

    var testDescription: String { name }

    init(
        _ name: String,
        _ method: Moya.Method = .post,
        headers: [String: String]? = nil,
        baseQuery: String = "",
        query: String = "",
        sent: [String] = [],
        body: String? = nil,
        bytes: [UInt8]? = nil,
        isStreamed: Bool = false,
        task: @escaping @Sendable (TemporaryFolder) throws -> HTTPTask
    ) {
        self.name = name
        self.method = method
        self.headers = headers
        self.baseQuery = baseQuery
        self.query = query
        self.sent = sent
        self.body = body.map { Data($0.utf8) } ?? bytes.map { Data($0) }
        self.isStreamed = isStreamed
        self.task = task
    }

    /// Returns the request that the server should receive.
    private func expected(on kind: TransportKind) -> SentRequest {
        let framing = body.map { isStreamed ? kind.framing(ofStream: $0.count) : "content-length: \($0.count)" }
        return SentRequest(
            line: "\(method.rawValue) /echoes\(query) HTTP/1.1",
            headers: sent + [framing ?? kind.framing(ofNoBodyWith: method)].compactMap { $0 },
            body: body ?? Data()
        )
    }

    /// Sends the task through each entry point and compares the bytes.
    func expectBytes(on kind: TransportKind) async throws {
        let server = try await EchoServer(kind)
        let folder = try TemporaryFolder()
        for entryPoint in EntryPoint.allCases {
            let target = try server.target(task(folder), method: method, headers: headers, query: baseQuery)
            let result = await entryPoint.request(target, from: server.provider)
            let response = try #require(result.response, "\(result)")
            // A download's response is in the file.
            let bytes = try folder.names.contains("answer") ? Data(contentsOf: folder.file("answer")) : response.data
            #expect(SentRequest(bytes: bytes) == expected(on: kind), "\(entryPoint)")
        }
        try await server.shutDown()
    }

    /// Returns the destination of a row that downloads.
    static func destination(_ folder: TemporaryFolder) -> DownloadDestination {
        let file = folder.file("answer")
        return { _, _ in (file, .removePreviousFile) }
    }
}
