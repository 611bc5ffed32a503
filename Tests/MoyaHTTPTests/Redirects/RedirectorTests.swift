import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A redirector follows, stops at or changes redirects")
struct RedirectorTests {
    private func redirect() throws -> Redirect {
        Redirect(
            status: 302,
            headers: .location("/x"),
            source: try RedirectRequest(.get, "https://a.example/"),
            request: try RedirectRequest(.get, "https://a.example/x")
        )
    }

    @Test("a redirector follows redirects by default")
    func follow() async throws {
        #expect(try await Redirector().redirect(redirect()) == .follow)
        let handler: some RedirectHandler = .follow
        #expect(try await handler.redirect(redirect()) == .follow)
    }

    @Test("a redirector can stop at redirects")
    func doNotFollow() async throws {
        #expect(try await Redirector(behavior: .doNotFollow).redirect(redirect()) == .stop)
        let handler: some RedirectHandler = .doNotFollow
        #expect(try await handler.redirect(redirect()) == .stop)
    }

    @Test("a redirector can change the request, stop with nil, or fail with a thrown error")
    func modify() async throws {
        let other = try RedirectRequest(.head, "https://a.example/y")
        let changing = Redirector(behavior: .modify { _ in other })
        #expect(try await changing.redirect(redirect()) == .change(to: other))
        let stopping = Redirector(behavior: .modify { _ in nil })
        #expect(try await stopping.redirect(redirect()) == .stop)
        let failing = Redirector(behavior: .modify { _ in throw CancellationError() })
        await #expect(throws: CancellationError.self) { try await failing.redirect(redirect()) }
    }

    @Test("a redirector has the default limits or custom limits")
    func options() {
        struct Own: RedirectHandler {
            func redirect(_ redirect: Redirect) async throws -> RedirectDecision { .follow }
        }
        let standard = RedirectOptions(maximumCount: 20, allowsInsecure: false, sensitiveHeaders: [])
        #expect(Redirector().options == standard)
        #expect(Own().options == standard)
        let own = Redirector(maximumCount: 3, allowsInsecure: true, sensitiveHeaders: ["X-Api-Key"])
        #expect(own.options == RedirectOptions(maximumCount: 3, allowsInsecure: true, sensitiveHeaders: ["X-Api-Key"]))
    }

    @Test(
        "the errors of redirects name the problem and a remedy",
        arguments: [
            (.tooMany(maximum: 20), "20"), (.loop, "loop"), (.unsupportedScheme("ftp"), "\"ftp\""),
            (.insecure, "allowsInsecure"), (.bodyNotRepeatable, "only once"),
        ] as [(RedirectError, String)]
    )
    func texts(_ error: RedirectError, part: String) {
        #expect(error.localizedDescription.contains(part))
    }
}
