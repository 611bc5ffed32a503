import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

// This file has the lines of the Swift blocks about fallbacks in Documentation/Resilience.md, and the tests run them.

@Suite("The examples of the article about fallbacks run", .timeLimit(.minutes(5)))
struct ReadmeFallbackTests {
    enum GitHub: String, TargetType {
        case zen
        case search = "search/users"
        var baseURL: URL { URL(string: "https://api.github.com")! }
        var path: String { rawValue }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data("Keep it simple.".utf8) }
    }

    /// A session whose preferred server refuses connections.
    final class Session: Moya.Session, @unchecked Sendable {
        /// The responses of the other server to its first requests; it refuses later ones.
        static let transport = Locked(ScriptedTransport())

        init(eventMonitors: [any EventMonitor] = [], resilience: Resilience) {
            super.init(
                transport: Self.transport.withLock { $0 },
                eventMonitors: eventMonitors,
                resilience: resilience
            )
        }
    }

    /// Runs a test with the responses of the second server.
    private func withServer(_ response: ScriptedResponse, _ body: () async throws -> Void) async throws {
        Session.transport.withLock {
            $0 = ScriptedTransport()
                .on("https://api.github.com/**", .refused)
                .on("https://github-eu.example.com/api/**", response)
        }
        try await body()
    }

    struct FallbackPrinter: EventMonitor {
        func record(_ event: RequestEvent) {
            if case .fallingBack(let kind, let cause) = event.kind { print("\(kind) because of \(cause)") }
        }

        private func print(_ text: String) { ReadmeFallbackTests.events.add(text) }
    }

    private static let events = Recorder<String>()
    private let printed = Recorder<String>()

    private func print(_ text: String) { printed.add(text) }

    @Test("the documentation's fallbacks use the other server, and then the sample")
    func fallbacks() async throws {
        for (response, expected) in [
            (ScriptedResponse.text("Speak."), "from github-eu.example.com"), (.dnsFailure, "a sample"),
        ] {
            try await withServer(response) {
                let primary = URL(string: "https://api.github.com")!
                let secondary = URL(string: "https://github-eu.example.com/api")!
                var available = Resilience()
                available.fallbacks = [.baseURLs(primary, secondary), .staleResponse, .sampleData]
                let reliable = MoyaProvider<GitHub>(session: Session(resilience: available))
                let zen = try await reliable.request(.zen)
                switch zen.source {
                case .network: print("from \(zen.response?.url?.host ?? "a server")")
                case .stale, .cache, .revalidated: print("from the cache")
                case .sample: print("a sample")
                }
                #expect(printed.values.last == expected)
            }
        }
        try await withServer(.status(503)) {
            let primary = URL(string: "https://api.github.com")!
            let secondary = URL(string: "https://github-eu.example.com/api")!
            var available = Resilience()
            available.fallbacks = [
                .baseURLs(primary, secondary, statuses: [502, 503, 504], avoidedFor: .seconds(60)),
                .sample { request, cause in
                    guard request.url.path == "/zen" else { return nil }
                    return TransportResponse(status: 200, body: .complete(Data("Keep it simple.".utf8)))
                },
            ]
            let provider = MoyaProvider<GitHub>(session: Session(resilience: available))
            #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
            #expect(try await provider.request(.search).statusCode == 503)

            let monitored = Session(eventMonitors: [FallbackPrinter()], resilience: available)
            _ = try await MoyaProvider<GitHub>(session: monitored).request(.zen)
            let event = Self.events.values.last
            #expect(event?.hasPrefix("sample because of avoided(https://api.github.com, for: ") == true)
        }
    }
}
