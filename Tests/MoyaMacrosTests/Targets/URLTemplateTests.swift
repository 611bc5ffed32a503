#if Macros
import MoyaMacros
import Testing

/// Endpoints whose paths have parameters, escapes and queries.
@API("https://templates.example/v1")
protocol Templates: Sendable {
    @GET("") func root() async throws
    @GET("/users/{id}") func user(id: Int) async throws
    @DELETE("/users/{id}") func delete(id: Int) async throws
    @GET("/users/{user}/files/{name}.json?page={page}&kind=a") func file(user: String, name: String, page: Int)
        async throws
    @GET("/a%20b/%22c%22") func escaped() async throws
    @GET("/{path}/{other}") func odd(path: String, other: String) async throws
}

@Suite("A target of @API has the template of its path")
struct URLTemplateTests {
    @Test("a template has the names of the parameters in place of their values, and no query")
    func templates() {
        #expect(TemplatesAPI.root.urlTemplate == "")
        #expect(TemplatesAPI.user(id: 7).urlTemplate == "/users/{id}")
        #expect(TemplatesAPI.delete(id: 8).urlTemplate == "/users/{id}")
        #expect(
            TemplatesAPI.file(user: "a/b", name: "secret", page: 2).urlTemplate == "/users/{user}/files/{name}.json"
        )
        #expect(TemplatesAPI.escaped.urlTemplate == "/a%20b/%22c%22")
        #expect(TemplatesAPI.odd(path: "a", other: "b").urlTemplate == "/{path}/{other}")
    }

    @Test("a wrapped target keeps its template, and a target without templates has none")
    func wrapped() {
        #expect(MultiTarget(MultiTarget(TemplatesAPI.user(id: 7))).urlTemplate == "/users/{id}")
        #expect(MultiTarget(Untemplated()).urlTemplate == nil)
    }

    private struct Untemplated: TargetType {
        var baseURL: URL { URL(filePath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }
}
#endif
