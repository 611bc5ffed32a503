import Foundation
import Moya
import Testing

@testable import repository_browser

@Suite("The repository browser, a program for an earlier version of Moya, works")
struct RepositoryBrowserTests {
    @Test("a run of the repository browser prints the stubs' responses and the plugins' events")
    func visit() {
        var lines: [String] = []
        let application = Application(print: { lines.append($0) })
        application.run()
        #expect(
            lines.filter { !$0.hasPrefix("    ") } == [
                "Half measures are as bad as nothing at all.",
                "Ash has the number 100",
                "moya-1a: 15 stars", "moya-1b: 1 stars", "moya-2a: 25 stars", "moya-2b: 2 stars",
                "issue 1347",
                "uploaded 100 %",
                "avatar: 200",
                "starred",
                "8 requests, 0 failed, 0 under way",
            ]
        )
        #expect(
            lines.filter { $0.hasPrefix("    HTTP Request Method") }
                == [
                    "GET", "GET", "GET", "GET", "GET", "POST", "POST", "PUT",
                ].map { "    HTTP Request Method: \($0)" }
        )
    }

    @Test("the repository browser's provider fetches a token before the first target that needs one")
    func signsIn() throws {
        let application = Application(print: { _ in })
        let provider = application.makeProvider()
        var requests: [URLRequest] = []
        provider.request(.zen) { requests += [try? $0.get().request].compactMap { $0 } }
        #expect(application.tokens.current == "")
        provider.request(.star(repository: "a/b")) { requests += [try? $0.get().request].compactMap { $0 } }
        #expect(application.tokens.current == "fresh")
        #expect(requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [nil, "Bearer fresh"])
        #expect(requests.map(\.timeoutInterval) == [20, 20])
        #expect(
            requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Application") == "Repository Browser" }
        )
    }
}
