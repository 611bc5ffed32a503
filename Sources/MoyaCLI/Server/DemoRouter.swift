#if NIO
import Foundation
import HTTPTypes
import TestServers

/// The routes of the demo's API.
struct DemoRouter: Sendable {
    let faults: Set<DemoFault>
    let slowRequests: SlowRequests

    typealias Request = HTTPServer.Request
    typealias Response = HTTPServer.Response

    func response(to request: Request) async throws -> Response {
        var response = try await route(request)
        response.headers[.server] = "moya-cli"
        return response
    }

    private func route(_ request: Request) async throws -> Response {
        let path = request.path
        switch (request.head.method, path.first, path.count) {
        case ("GET", "zen", 1): return zen()
        case ("GET", "emojis", 1): return try emojis(request)
        case ("GET", "users", 2): return try user(path[1])
        case ("GET", "users", 3) where path[2] == "repos": return try repositories(sort: request.query("sort"))
        case ("GET", "repos", 3) where path[2] == "branches":
            return try branches(protected: request.query("protected"))
        case ("POST", "repos", 4) where path[3] == "issues": return try await createIssue(request)
        case ("GET", "user", 1): return try currentUser(request)
        case ("GET", "broken", 1):
            guard !faults.contains(.soundBroken) else { return text("all is well") }
            return try problem(.internalServerError, "Out of order.")
        case ("GET", "slow", 1): return await slow(request)
        case ("GET", "bytes", 2): return try bytes(path[1])
        case ("POST", "bytes", 1): return try await takeBytes(of: request)
        case ("GET", "readme", 1): return readme(request)
        case ("GET", "log", 1): return log()
        case ("GET", "activity", 1): return activity(request)
        default: return try problem(.notFound, "Not found.")
        }
    }

    private func zen() -> Response { text(faults.contains(.otherZen) ? "Anything goes." : DemoData.zen) }

    /// Responds with header fields that allow a cache to store the response.
    private func emojis(_ request: Request) throws -> Response {
        guard !faults.contains(.uncacheableEmojis) else {
            return try json(DemoData.emojis, headers: [.cacheControl: "no-store"])
        }
        // The response is fresh for 30 years, because a replayed recording has an old `Date`.
        let fields: HTTPFields = [.cacheControl: "private, max-age=946080000", .eTag: DemoData.emojisTag]
        guard request.head["if-none-match"] != DemoData.emojisTag else {
            return Response(.notModified, headers: fields)
        }
        return try json(DemoData.emojis, headers: fields)
    }

    private func user(_ name: String) throws -> Response {
        if faults.contains(.brokenUsers) { return try problem(.internalServerError, "The users are gone.") }
        return try json(DemoData.user(name))
    }

    private func repositories(sort: String?) throws -> Response {
        guard sort == "pushed", !faults.contains(.unsortedRepositories) else {
            return try json(DemoData.repositories)
        }
        return try json(DemoData.repositories.sorted { $0.pushedAt > $1.pushedAt })
    }

    private func branches(protected: String?) throws -> Response {
        guard let protected else { return try json(DemoData.branches) }
        guard let isProtected = Bool(protected) else {
            return try problem(.unprocessableContent, "protected must be true or false.")
        }
        return try json(DemoData.branches.filter { $0.protected == isProtected })
    }

    private func createIssue(_ request: Request) async throws -> Response {
        guard request.head["content-type"]?.hasPrefix("application/json") == true else {
            return try problem(.unprocessableContent, "The body must be JSON.")
        }
        let draft: IssueDraft
        do {
            draft = try JSONDecoder().decode(IssueDraft.self, from: await request.body())
        } catch is DecodingError {
            return try problem(.unprocessableContent, "The body must be an object with a title and a body.")
        }
        guard !draft.title.isEmpty else { return try problem(.unprocessableContent, "An issue needs a title.") }
        let issue = Issue(number: 42, state: "open", title: draft.title, body: draft.body)
        return try json(issue, status: .created, headers: [.location: "\(request.head.path)/\(issue.number)"])
    }

    private func currentUser(_ request: Request) throws -> Response {
        let isKnown = request.head["authorization"] == "Bearer \(DemoData.token)"
        guard isKnown || faults.contains(.openUser) else {
            return try problem(
                .unauthorized,
                "Requires authentication.",
                headers: [.wwwAuthenticate: #"Bearer realm="moya-cli""#]
            )
        }
        return try json(DemoData.owner)
    }

    /// Responds only when the client or the server ends the request.
    private func slow(_ request: Request) async -> Response {
        slowRequests.record(.arrived)
        await request.waitUntilClosed()
        slowRequests.record(.left)
        return text("at last")
    }

    func text(_ text: String) -> Response {
        Response(headers: [.contentType: "text/plain; charset=utf-8"], text: text)
    }

    func problem(
        _ status: HTTPResponse.Status,
        _ message: String,
        headers: HTTPFields = [:]
    ) throws -> Response {
        try json(Problem(message: message), status: status, headers: headers)
    }

    func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status, headers: headers, body: .bytes(try encoder.encode(value)))
    }
}
#endif
