import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

// This file has the lines of the Swift blocks in Documentation about pagination and standard error bodies that no other file has, and
// the tests run them.

extension ReadmeArticles {
    @Suite("The examples of the article about pagination run")
    struct PaginationTests {
        struct Repository: Decodable, Sendable { var name: String }

        enum GitHub: TargetType {
            case repositories(of: String)
            case search(after: String?)
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String {
                switch self {
                case .repositories(let owner): "/users/\(owner)/repos"
                case .search: "/search"
                }
            }
            var method: Moya.Method { .get }
            var task: HTTPTask {
                switch self {
                case .repositories: .requestPlain
                case .search(let cursor): .requestFormEncodable(["after": cursor], destination: .queryString)
                }
            }
            var headers: [String: String]? { nil }
        }

        struct Repositories: PagedTargetType {
            typealias Output = [Repository]
            var owner: String
            var pagination: Pagination { .link }
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String { "/users/\(owner)/repos" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }

        struct Issue: Decodable, Sendable { var title: String }
        struct Issues: TargetType {
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String { "/repos/moya/moya/issues" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }

        /// A network with two pages of repositories.
        private static let network = PagedNetwork { target, _ in
            switch target.replacing("https://api.github.com", with: "") {
            case let first where first.hasSuffix("/repos"):
                PagedNetwork.Answer(headers: ["Link": "<?page=2>; rel=next"], body: #"[{"name":"a"},{"name":"b"}]"#)
            case "/repos/moya/moya/issues": PagedNetwork.Answer(body: #"[{"title":"i"}]"#)
            case "/users/octocat/repos?page=2": PagedNetwork.Answer(body: #"[{"name":"c"}]"#)
            case "/search":
                PagedNetwork.Answer(
                    headers: ["X-Next-Token": "t"],
                    body: """
                        {"items":[{"name":"a"}],"data":{"search":{"nodes":[{"name":"x"}],\
                        "pageInfo":{"endCursor":"e","hasNextPage":true}}}}
                        """
                )
            case "/search?token=t": PagedNetwork.Answer(body: #"{"items":[{"name":"b"}]}"#)
            case "/search?after=e":
                PagedNetwork.Answer(
                    body:
                        #"{"data":{"search":{"nodes":[{"name":"y"}],"pageInfo":{"endCursor":"f","hasNextPage":false}}}}"#
                )
            default: PagedNetwork.Answer(status: 404)
            }
        }

        /// The provider of the examples, with that network.
        private final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target>, @unchecked Sendable {
            init() {
                super.init(session: PaginationTests.network.session, interceptor: nil)
            }
        }

        private let printed = Recorder<String>()

        private func print(_ items: Any...) { printed.add(items.map { "\($0)" }.joined(separator: " ")) }

        @Test("the items of the documentation's lists are read")
        func lists() async throws {
            let provider = MoyaProvider<GitHub>()
            let repositories = provider.pages(.repositories(of: "octocat"), of: Repository.self, by: .link)
            for try await repository in repositories { print(repository.name) }
            let issues = MoyaProvider<Issues>().pages(Issues(), of: Issue.self, by: .link)
            for try await issue in issues { print(issue.title) }
            for try await repository in MoyaProvider<Repositories>().pages(Repositories(owner: "octocat")) {
                print(repository.name)
            }
            let few = repositories.limited(toItems: 100).limited(toPages: 5).readingAhead()
            for try await repository in few { print(repository.name) }
            #expect(printed.values == ["a", "b", "c", "i", "a", "b", "c", "a", "b", "c"])

            let pagination = Pagination.custom { response in
                response.headers["X-Next-Token"].map { .query(["token": $0]) }
            }
            let found = provider.pages(.search(after: nil), of: Repository.self, by: pagination, atKeyPath: "items")
            #expect(try await found.all().map(\.name) == ["a", "b"])

            let results = provider.pages(
                of: Repository.self,
                atKeyPath: "data.search.nodes",
                cursorAt: "data.search.pageInfo.endCursor",
                while: "data.search.pageInfo.hasNextPage"
            ) { cursor in .search(after: cursor) }
            #expect(try await results.all().map(\.name) == ["x", "y"])
        }

        @Test("the documentation's list is continued at a stored position")
        func position() async throws {
            let provider = MoyaProvider<GitHub>()
            let repositories = provider.pages(.repositories(of: "octocat"), of: Repository.self, by: .link)
            var stored: Data?
            for try await page in repositories.pages {
                print(page.items.count, page.response.statusCode)
                stored = try JSONEncoder().encode(page.next)
                break
            }
            let position = try stored.flatMap { try JSONDecoder().decode(PagePosition?.self, from: $0) }
            for try await repository in repositories.starting(at: position) { print(repository.name) }
            #expect(printed.values == ["2 200", "c"])
        }

        @Test("the documentation's independent requests are sent at the same time")
        func concurrency() async throws {
            let provider = MoyaProvider<GitHub>()
            let names = ["octocat", "ashfurrow", "sunshinejr"]
            let counts = try await names.mapConcurrently(limit: 2) { name in
                try await provider.request(.repositories(of: name)).map([Repository].self).count
            }
            print(counts)
            #expect(printed.values == ["[2, 2, 2]"])
        }
    }

    @Suite("The examples of standard error bodies run")
    struct StandardErrorTests {
        enum Target: String, TargetType {
            case user
            var baseURL: URL { URL(string: "https://a.example")! }
            var path: String { rawValue }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }

        struct OutOfCredit: Decodable { var balance: Int }

        private let printed = Recorder<String>()

        private func print(_ items: Any...) { printed.add(items.map { "\($0)" }.joined(separator: " ")) }

        private func provider(_ status: Int, _ body: String) -> Moya.MoyaProvider<Target> {
            Moya.MoyaProvider(session: Session(FakeTransport.body(body, status: status)))
        }

        @Test("the documentation's problem details are decoded")
        func problem() async throws {
            let provider = provider(403, #"{"type":"/credit","title":"No credit","detail":"Pay","balance":3}"#)
            do {
                _ = try await provider.request(.user, orThrow: ProblemDetails.self)
            } catch MoyaError.underlying(let problem as ProblemDetails, _) {
                print(problem.type, problem.localizedDescription)
                if let credit = try? problem.extensions.decode(OutOfCredit.self) { print(credit.balance) }
            } catch {
                print(error.localizedDescription)
            }
            #expect(printed.values == ["/credit No credit: Pay", "3"])
        }

        @Test("the documentation's errors of GraphQL are thrown")
        func graphQL() async throws {
            let provider = provider(200, #"{"data":{"viewer":{"login":"a"}},"errors":[{"message":"slow"}]}"#)
            do {
                let user = try await provider.request(.user).mapGraphQL(User.self, atKeyPath: "viewer")
                print(user.login)
            } catch MoyaError.underlying(let failure as GraphQLErrors, let response) {
                print(failure.errors.map(\.message))
                if let part = try? response?.map(User.self, atKeyPath: "data.viewer") { print(part.login) }
            } catch {
                print(error.localizedDescription)
            }
            #expect(printed.values == [#"["slow"]"#, "a"])
        }

        @Test("the documentation's session sends idempotency keys")
        func keys() async throws {
            var resilience = Resilience()
            resilience.idempotencyKeys = IdempotencyKeys(format: .bare)
            let paying = Session(interceptor: RetryPolicy(), resilience: resilience)
            #expect(paying.interceptor is RetryPolicy)
        }
    }
}
