#if Macros
import Testing

@Suite("@API expands to a target, a client and a mock")
struct WholeExpansionTests {
    @Test("the generated target, client and mock match handwritten code")
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

                // The result of 'user' is decoded: its type must be Decodable.
                typealias __macro_local_33check0userNameStringReturningUserfMu_ =
                    MoyaGenerated.DecodedResult<User>

                func createIssue(owner: String, repo: String, title: String, notify: Query<Bool?>) async throws(MoyaError)

                // 'title' is sent as JSON: its type must be Encodable and Sendable.
                typealias __macro_local_80check0createIssueOwnerStringRepoStringTitleStringNotifyOptionalBoolReturningVoidfMu_ =
                    MoyaGenerated.SentAsJSON<String>
            }

            /// The requests of ``GitHub``, with a case for each method.
            public nonisolated enum GitHubAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable, MoyaGenerated.AccessTokenAuthorizable {
                /// Who somebody is.
                case user(String)
                case createIssue(owner: String, repo: String, title: String, notify: Bool?)

                public var baseURL: MoyaGenerated.URL { Self.declaredBaseURL }

                // Checked by the macro.
                private static let declaredBaseURL = MoyaGenerated.URL(string: "https://api.github.com")!

                public var path: MoyaGenerated.String {
                    switch self {
                    case .user(let name):
                        return "/users/\(MoyaGenerated.PathValue.escape(name))"
                    case .createIssue(let owner, let repo, _, _):
                        return "/repos/\(MoyaGenerated.PathValue.escape(owner))/\(MoyaGenerated.PathValue.escape(repo))/issues"
                    }
                }

                public var isPathEscaped: MoyaGenerated.Bool { true }

                public var urlTemplate: MoyaGenerated.String? {
                    switch self {
                    case .user:
                        return "/users/{name}"
                    case .createIssue:
                        return "/repos/{owner}/{repo}/issues"
                    }
                }

                public var method: MoyaGenerated.Method {
                    switch self {
                    case .user:
                        return .get
                    case .createIssue:
                        return .post
                    }
                }

                public var task: MoyaGenerated.HTTPTask {
                    switch self {
                    case .user(let name):
                        return .requestPlain.checkingPath("name", name)
                    case .createIssue(let owner, let repo, let title, let notify):
                        return .requestJSONEncodable(MoyaGenerated.JSONMembers().adding("title", title))
                            .adding(query: ["notify": MoyaGenerated.WireValue.of(notify)])
                            .checkingPath("owner", owner)
                            .checkingPath("repo", repo)
                    }
                }

                public var headers: [MoyaGenerated.String: MoyaGenerated.String]? { nil }

                public var validationType: MoyaGenerated.ValidationType { .successCodes }

                public var authorizationType: MoyaGenerated.AuthorizationType? {
                    switch self {
                    case .user:
                        return nil
                    case .createIssue:
                        return .bearer
                    }
                }

                public var sampleData: MoyaGenerated.Data {
                    switch self {
                    case .user:
                        return MoyaGenerated.SampleData.of(User.self)
                    case .createIssue:
                        return MoyaGenerated.Data()
                    }
                }

                public static func == (lhs: Self, rhs: Self) -> MoyaGenerated.Bool {
                    switch (lhs, rhs) {
                    case (.user(let lhs0), .user(let rhs0)):
                        return MoyaGenerated.areEqual(lhs0, rhs0)
                    case (.createIssue(let lhs0, let lhs1, let lhs2, let lhs3), .createIssue(let rhs0, let rhs1, let rhs2, let rhs3)):
                        return MoyaGenerated.areEqual(lhs0, rhs0)
                            && MoyaGenerated.areEqual(lhs1, rhs1)
                            && MoyaGenerated.areEqual(lhs2, rhs2)
                            && MoyaGenerated.areEqual(lhs3, rhs3)
                    default:
                        return false
                    }
                }
            }

            /// A client for ``GitHub``.
            public nonisolated struct GitHubClient: GitHub, MoyaGenerated.APIClient {
                public let caller: MoyaGenerated.APICaller<GitHubAPI>

                public init(caller: MoyaGenerated.APICaller<GitHubAPI>) { self.caller = caller }

                /// Who somebody is.
                public func user(_ name: String) async throws -> User {
                    try await self.caller.value(of: .user(name))
                }

                public func createIssue(
                    owner: String,
                    repo: String,
                    title: String,
                    notify: Bool? = nil
                ) async throws(MoyaGenerated.MoyaError) {
                    try await self.caller.send(to: .createIssue(owner: owner, repo: repo, title: title, notify: notify))
                }
            }

            /// A mock of ``GitHub`` for tests, with a handler for each method.
            public nonisolated final class GitHubMock: GitHub, MoyaGenerated.Sendable {
                /// The handlers of each method; a call without a handler throws ``UnhandledCall``.
                public nonisolated struct Handlers: MoyaGenerated.Sendable {
                    public var user: (@Sendable (_ name: String) async throws -> User)?
                    public var createIssue: (@Sendable (
                        _ owner: String,
                        _ repo: String,
                        _ title: String,
                        _ notify: Bool?
                    ) async throws(MoyaGenerated.MoyaError) -> ())?
                }

                private let state: MoyaGenerated.MockState<GitHubAPI, Handlers>

                /// Creates a mock with its initial handlers.
                public init(_ configure: (inout Handlers) -> () = { _ in }) {
                    var handlers = Handlers()
                    configure(&handlers)
                    state = MoyaGenerated.MockState(handlers)
                }

                /// The handlers for future calls.
                public var handlers: Handlers {
                    get { state.handlers }
                    set { state.handlers = newValue }
                }

                /// The calls in order.
                public var calls: [GitHubAPI] { state.calls }

                public func user(_ name: String) async throws -> User {
                    try await self.state.handler(to: .user(name), { $0.user }, named: "user")(name)
                }

                public func createIssue(
                    owner: String,
                    repo: String,
                    title: String,
                    notify: Bool? = nil
                ) async throws(MoyaGenerated.MoyaError) {
                    try await self.state.handler(
                        to: .createIssue(owner: owner, repo: repo, title: title, notify: notify),
                        { $0.createIssue },
                        named: "createIssue"
                    )(owner, repo, title, notify)
                }
            }

            extension GitHub {
                public func createIssue(
                    owner: String,
                    repo: String,
                    title: String,
                    notify: Bool? = nil,
                    _: MoyaGenerated.Defaults = MoyaGenerated.Defaults()
                ) async throws(MoyaGenerated.MoyaError) {
                    try await self.createIssue(owner: owner, repo: repo, title: title, notify: notify)
                }
            }
            """#
        )
    }

    @Test("a protocol with a mistake expands to nothing")
    func mistake() {
        let expanded = Expansion.expanded("@API(\"https://a.example\")\nprotocol Shop {\nfunc a() async throws\n}")
        #expect(!expanded.contains("ShopAPI"))
    }
}
#endif
