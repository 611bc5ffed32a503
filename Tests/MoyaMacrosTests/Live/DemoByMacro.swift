#if Macros
import MoyaMacros

@testable import moya_cli

/// The demo's API, which `moya-cli` declares without macros.
@API("https://api.github.com")
@Headers(["Accept": "application/json"])
protocol DemoHub: Sendable {
    @GET("/zen") @Headers(["Accept": "text/plain"]) @Sample(DemoData.zen)
    func zen() async throws -> String
    @GET("/users/{name}") @Sample({ (name: String) in #"{"login": "\#(name)", "id": 100, "name": "Sample"}"# })
    func userProfile(_ name: String) async throws -> User
    @GET("/users/{name}/repos?sort=pushed")
    @Sample(#"[{"name": "Repo Name", "pushed_at": "2026-01-01T00:00:00Z"}]"#)
    func userRepositories(_ name: String) async throws -> [Repository]
    @GET("/repos/{repo}/branches") @URLStyle(boolEncoding: .literal)
    @Sample(#"[{"name": "master", "protected": true}]"#)
    func branches(_ repo: String, protected: Bool) async throws -> [Branch]
    @POST("/repos/{owner}/{repo}/issues")
    func createIssue(owner: String, repo: String, draft: Body<IssueDraft>) async throws -> Issue
    @GET("/user") @Bearer @Validation(.customCodes([200, 401])) func currentUser() async throws -> User
    @GET("/broken") func broken() async throws
    @GET("/slow") func slow() async throws
    @GET("/readme") @Headers(["Accept": "text/plain"]) func readme() async throws -> String
    @GET("/log") @Stream @Headers(["Accept": "text/plain"]) func log() async throws -> StreamingLines
    @GET("/activity") @Stream func activity() async throws -> ServerSentEvents
}

/// The demo's API for large transfers.
@API("https://api.github.com")
@Headers(["Accept": "application/json"])
protocol DemoBytes: Sendable {
    @GET("/bytes/{count}") @Download @Headers(["Accept": "application/octet-stream"])
    func download(_ count: Int64, to: URL) async throws
    @GET("/bytes/{count}") @Stream @Headers(["Accept": "application/octet-stream"])
    func stream(_ count: Int64) async throws -> StreamingBody
    @POST("/bytes") @Headers(["Content-Type": "application/octet-stream"]) func upload(_ file: Body<URL>)
        async throws
    @POST("/bytes") @Multipart func form(note: String, file: URL) async throws
}
#endif
