import Foundation
import Moya
import MoyaHTTP
import TestSupport

/// A network of pages: returns the response for a path and query, and records what was requested.
struct PagedNetwork: Sendable {
    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = "[]"
    }

    let requested = Recorder<String>()
    let session: Session

    init(
        interceptor: (any RequestInterceptor)? = nil,
        options: SessionOptions = SessionOptions(),
        _ respond: @escaping @Sendable (_ target: String, TransportRequest) async throws -> Answer
    ) {
        let requested = requested
        session = Session(
            transport: FakeTransport.reading { request, body in
                let target = request.url.absoluteString.replacing("https://a.example", with: "")
                requested.add(body.isEmpty ? target : "\(target) \(String(decoding: body, as: UTF8.self))")
                let answer = try await respond(target, request)
                return TransportResponse(
                    status: answer.status,
                    headers: .counted(answer.body.utf8.count, answer.headers),
                    body: .complete(Data(answer.body.utf8))
                )
            },
            interceptor: interceptor,
            options: options
        )
    }

    init(_ answers: [String: Answer]) { self.init { target, _ in answers[target] ?? Answer(status: 404) } }

    /// A provider of the network.
    func provider(plugins: [any PluginType] = []) -> MoyaProvider<TaskTarget> {
        MoyaProvider(session: session, plugins: plugins)
    }
}

extension TaskTarget {
    /// A list at `https://a.example/list`, or at another server.
    static func list(
        _ task: HTTPTask = .requestPlain,
        method: Moya.Method = .get,
        at server: String = "https://a.example"
    ) -> TaskTarget {
        TaskTarget(
            baseURL: URL(string: server) ?? URL(fileURLWithPath: "/"),
            path: "/list",
            method: method,
            task: task,
            headers: ["Authorization": "secret"]
        )
    }
}
