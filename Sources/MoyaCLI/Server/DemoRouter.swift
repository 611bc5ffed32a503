#if NIO
    import Foundation
    import Hummingbird
    import ServiceLifecycle

    /// The routes of the demo's API.
    struct DemoRouter: Sendable {
        let faults: Set<DemoFault>
        let slowRequests: SlowRequests

        var router: Router<BasicRequestContext> {
            let router = Router()
            router.get("zen") { _, _ in zen() }
            router.get("emojis") { request, _ in try emojis(request) }
            router.get("users/:name") { _, context in try user(context.parameters.require("name")) }
            router.get("users/:name/repos") { request, _ in try repositories(sort: request.query("sort")) }
            router.get("repos/:name/branches") { request, _ in try branches(protected: request.query("protected")) }
            router.post("repos/:name/:repo/issues") { request, context in try await createIssue(request, context) }
            router.get("user") { request, _ in try currentUser(request) }
            router.get("broken") { _, _ in
                faults.contains(.soundBroken) ? text("all is well") : try problem(.internalServerError, "Out of order.")
            }
            router.get("slow") { request, _ in await slow(request) }
            addBytes(to: router)
            addStreams(to: router)
            return router
        }

        private func zen() -> Response { text(faults.contains(.otherZen) ? "Anything goes." : DemoData.zen) }

        /// Responds with fields that allow a cache to keep the response.
        private func emojis(_ request: Request) throws -> Response {
            guard !faults.contains(.uncacheableEmojis) else {
                return try json(DemoData.emojis, headers: [.cacheControl: "no-store"])
            }
            // For 30 years, as the `Date` of a recording that is replayed is old.
            let fields: HTTPFields = [.cacheControl: "private, max-age=946080000", .eTag: DemoData.emojisTag]
            guard request.headers[.ifNoneMatch] != DemoData.emojisTag else {
                return Response(status: .notModified, headers: fields)
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

        private func createIssue(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
            guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
                return try problem(.unprocessableContent, "The body must be JSON.")
            }
            let draft: IssueDraft
            do {
                // Not request.decode(as:), which responds with 400 if decoding fails.
                draft = try await context.requestDecoder.decode(IssueDraft.self, from: request, context: context)
            } catch is DecodingError {
                return try problem(.unprocessableContent, "The body must be an object with a title and a body.")
            }
            guard !draft.title.isEmpty else { return try problem(.unprocessableContent, "An issue needs a title.") }
            let issue = Issue(number: 42, state: "open", title: draft.title, body: draft.body)
            return try json(issue, status: .created, headers: [.location: "\(request.uri.path)/\(issue.number)"])
        }

        private func currentUser(_ request: Request) throws -> Response {
            let isKnown = request.headers[.authorization] == "Bearer \(DemoData.token)"
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
            slowRequests.note(.arrived)
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(600)) }
                }
            } catch {
                slowRequests.note(.left)
            }
            return text("at last")
        }

        func text(_ text: String) -> Response {
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(byteBuffer: .init(string: text))
            )
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
            let body = try encoder.encode(value)
            return Response(status: status, headers: headers, body: .init(byteBuffer: .init(bytes: body)))
        }
    }

    extension Request {
        /// Returns the value of a query parameter.
        fileprivate func query(_ name: String) -> String? { uri.queryParameters.get(name) }
    }
#endif
