#if Macros
    import Testing

    @Suite("What @API makes of a protocol, in full")
    struct WholeExpansionTests {
        @Test("A target, a client and a mock, as one would write them")
        func whole() {
            Expansion.expect(
                #"""
                @API("https://api.github.com")
                public protocol GitHub: Sendable {
                    /// Who somebody is.
                    @GET("/users/{name}") func user(_ name: String) async throws -> User
                    @POST("/repos/{owner}/{repo}/issues") @Bearer
                    func createIssue(owner: String, repo: String, title: String, notify: Query<Bool?>) async throws(MoyaError)
                }
                """#,
                #"""
                public protocol GitHub: Sendable {
                    /// Who somebody is.
                    func user(_ name: String) async throws -> User

                    func createIssue(owner: String, repo: String, title: String, notify: Query<Bool?>) async throws(MoyaError)
                }

                /// What can be asked of ``GitHub``: a case for each of its methods.
                public enum GitHubAPI: TargetType, AccessTokenAuthorizable {
                    /// Who somebody is.
                    case user(String)
                    case createIssue(owner: String, repo: String, title: String, notify: Bool?)

                    public var baseURL: URL { Self.declaredBaseURL }

                    // Looked at when it was compiled.
                    private static let declaredBaseURL = URL(string: "https://api.github.com")!

                    public var path: String {
                        switch self {
                        case .user(let name):
                            "/users/\(PathValue.escape(name))"
                        case .createIssue(let owner, let repo, _, _):
                            "/repos/\(PathValue.escape(owner))/\(PathValue.escape(repo))/issues"
                        }
                    }

                    public var isPathEscaped: Bool { true }

                    public var method: Moya.Method {
                        switch self {
                        case .user:
                            .get
                        case .createIssue:
                            .post
                        }
                    }

                    public var task: HTTPTask {
                        switch self {
                        case .user(let name):
                            .requestPlain.checkingPath("name", name)
                        case .createIssue(let owner, let repo, let title, let notify):
                            .requestJSONEncodable(CreateIssueBody(title: title))
                                .adding(query: ["notify": notify])
                                .checkingPath("owner", owner)
                                .checkingPath("repo", repo)
                        }
                    }

                    public var headers: [String: String]? { nil }

                    public var validationType: ValidationType { .successCodes }

                    public var authorizationType: AuthorizationType? {
                        switch self {
                        case .user:
                            nil
                        case .createIssue:
                            .bearer
                        }
                    }

                    public var sampleData: Data {
                        switch self {
                        case .user:
                            SampleData.of(User.self)
                        case .createIssue:
                            Data()
                        }
                    }

                    private struct CreateIssueBody: Encodable {
                        let title: String
                    }
                }

                /// Asks a server what ``GitHub`` says.
                public struct GitHubClient: GitHub, APIClient {
                    public let caller: APICaller<GitHubAPI>

                    public init(caller: APICaller<GitHubAPI>) { self.caller = caller }

                    /// Who somebody is.
                    public func user(_ name: String) async throws -> User {
                        try await self.caller.value(of: .user(name))
                    }

                    public func createIssue(owner: String, repo: String, title: String, notify: Bool?) async throws(MoyaError) {
                        try await self.caller.send(to: .createIssue(owner: owner, repo: repo, title: title, notify: notify))
                    }
                }

                /// Stands in for ``GitHub`` in tests, with answers that are set for each method.
                public final class GitHubMock: GitHub, Sendable {
                    /// What answers the calls of each method. Without an answer a call throws ``UnansweredCall``.
                    public struct Answers: Sendable {
                        public var user: (@Sendable (_ name: String) async throws -> User)?
                        public var createIssue: (@Sendable (
                            _ owner: String,
                            _ repo: String,
                            _ title: String,
                            _ notify: Bool?
                        ) async throws(MoyaError) -> Void)?
                    }

                    private let state: MockState<GitHubAPI, Answers>

                    /// Makes a mock, with its first answers.
                    public init(_ answer: (inout Answers) -> Void = { _ in }) {
                        var answers = Answers()
                        answer(&answers)
                        state = MockState(answers)
                    }

                    /// What answers the calls from now on.
                    public var answers: Answers {
                        get { state.answers }
                        set { state.answers = newValue }
                    }

                    /// The calls, in their order.
                    public var calls: [GitHubAPI] { state.calls }

                    public func user(_ name: String) async throws -> User {
                        try await self.state.answer(to: .user(name), { $0.user }, named: "user")(name)
                    }

                    public func createIssue(owner: String, repo: String, title: String, notify: Bool?) async throws(MoyaError) {
                        try await self.state.answer(
                            to: .createIssue(owner: owner, repo: repo, title: title, notify: notify),
                            { $0.createIssue },
                            named: "createIssue"
                        )(owner, repo, title, notify)
                    }
                }
                """#
            )
        }

        @Test("Nothing, where there is a mistake")
        func mistake() {
            let expanded = Expansion.expanded("@API(\"https://a.example\")\nprotocol Shop {\nfunc a() async throws\n}")
            #expect(!expanded.contains("ShopAPI"))
        }
    }
#endif
