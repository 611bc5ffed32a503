import Foundation
import Moya
import TestServers
import Testing

/// A server that responds with the bytes of the request, and a provider that sends requests to it.
struct EchoServer: Sendable {
    let server: MisbehavingServer
    let transport: any HTTPTransport
    let provider: MoyaProvider<TaskTarget>

    init(_ kind: TransportKind) async throws {
        server = try await MisbehavingServer()
        transport = kind.make()
        provider = MoyaProvider(session: .withoutHeaders(transport))
    }

    /// Returns a target for the server.
    func target(
        _ task: HTTPTask,
        method: Moya.Method = .post,
        headers: [String: String]? = nil,
        query: String = ""
    ) throws -> TaskTarget {
        let url = try #require(URL(string: server.url(.echoes).absoluteString + query))
        return TaskTarget(baseURL: url, method: method, task: task, headers: headers)
    }

    /// Returns the request that the server receives for a task.
    func sent(_ task: HTTPTask, headers: [String: String]? = nil, through entryPoint: EntryPoint) async throws
        -> SentRequest
    {
        let result = await entryPoint.request(try target(task, headers: headers), from: provider)
        return SentRequest(bytes: try #require(result.response?.data, "\(result)"))
    }

    func shutDown() async throws {
        await transport.shutdown()
        try await server.shutDown()
    }
}

extension SentRequest {
    /// The boundary of a multipart form.
    var boundary: String? {
        headers.lazy.compactMap { $0.split(separator: "boundary=", maxSplits: 1).dropFirst().first.map(String.init) }
            .first
    }
}
