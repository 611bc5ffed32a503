#if Macros
import MoyaMacros

/// Declares an API like GitHub's, with every kind of endpoint.
@API("https://api.github.com", keys: .snakeCase)
@Headers(["Accept": "application/vnd.github+json"])
@ErrorBody(Problem.self)
public protocol GitHub: Sendable {
    // These endpoints return texts, values and lists.
    @GET("/zen") @Headers(["Accept": "text/plain"]) @Sample("Half measures are as bad as nothing at all.")
    func zen() async throws -> String
    @GET("/users/{name}") func user(_ name: String) async throws(MoyaError) -> User
    @GET("/users/{name}/repos")
    func repositories(of name: String, sort: Sort?, perPage: Int?) async throws -> [Repository]
    @GET("/repos/{owner}/{repo}") func repository(_ owner: String, _ repo: String) async throws -> Repository
    @GET("/repos/{owner}/{repo}/branches?protected={protected}") @URLStyle(boolEncoding: .literal)
    func branches(of repo: String, owner: String, protected: Bool) async throws -> [Branch]
    @GET("/repos/{owner}/{repo}/compare/{base}...{head}")
    func compare(owner: String, repo: String, base: String, head: String) async throws -> Comparison
    @GET("/repos/{owner}/{repo}/contents/{path}")
    func contents(owner: String, repo: String, path: String) async throws -> Data
    @GET("/repos/{owner}/{repo}/languages")
    func languages(owner: String, repo: String) async throws -> [String: Int]
    @GET("/search/repositories?q={query}&type=public") @KeyPath("items")
    func search(_ query: String, page: Int?) async throws -> [Repository]
    @GET("/search/count") @KeyPath("total.public") func count(topics: [String]) async throws -> Int
    @GET("/gists/{id}") func gist(id: UUID, ifNoneMatch: Header<String?>) async throws -> Gist?
    @HEAD("/repos/{owner}/{repo}") func head(owner: String, repo: String) async throws -> Response
    @OPTIONS("/repos") func options() async throws -> Response

    // These endpoints send credentials.
    @GET("/user") @Bearer func me() async throws -> User
    @PATCH("/user") @Bearer func update(bio: String?, isHireable: Bool) async throws -> User
    @POST("/repos/{owner}/{repo}/issues") @Bearer
    func issue(owner: String, repo: String, issue: Body<NewIssue>, notify: Query<Bool>) async throws -> Issue
    @PUT("/user/starred/{owner}/{repo}") @Bearer func star(_ owner: String, _ repo: String) async throws
    @DELETE("/user/starred/{owner}/{repo}") @Bearer func unstar(_ owner: String, _ repo: String) async throws
    @DELETE("/repos/{owner}/{repo}/labels") @Bearer
    func removeLabels(owner: String, repo: String, names: [String]) async throws
    @POST("/authorizations") @Basic @Headers(["X-GitHub-OTP": "{code}"])
    func authorize(scopes: [String], note: String?, code: String) async throws -> Authorization
    @HTTP("PURGE", "/cache/{key}") @Authorization(.custom("token")) @Validation(.customCodes([202, 404]))
    func purge(key: String) async throws

    // These endpoints send or receive forms, files and bytes.
    @POST("/login/oauth/access_token") @FormURLEncoded @Names(["id": "client_id"])
    func token(id: String, deviceCode: String) async throws -> Authorization
    @POST("/markdown") @Headers(["Content-Type": "text/plain"])
    func render(markdown: Body<Data>) async throws -> String
    @POST("/upload") @Multipart func upload(file: URL, caption: String, isPublic: Bool?) async throws -> Receipt
    @PUT("/assets/{name}") func putAsset(name: String, file: Body<URL>) async throws -> Receipt
    @POST("/graphql") @KeyPath("data.viewer")
    func viewer(query: String, variables: [String: String]) async throws -> User
    @GET("/archive/{id}") @Download func archive(id: Int, to: @escaping DownloadDestination) async throws
    @GET("/assets/{id}?raw=1") @Download func asset(id: Int, to file: URL) async throws -> Response

    // These endpoints return streams.
    @GET("/events") @Stream func events() async throws -> ServerSentEvents
    @GET("/log") @Stream func log(since: Date) async throws -> StreamingLines
    @POST("/export") @Stream func export(format: Sort) async throws -> StreamingBody
}
#endif
