import Foundation
import Moya
import Testing

@Suite("Endpoints can lead to another server")
struct EndpointsAtTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let own: String
        var path = ""
        let server: String
        let url: String

        var testDescription: String { rule }
    }

    static let rows: [Row] = [
        Row(
            rule: "a path is appended to the other server's URL, and the own one is dropped",
            own: "https://api.example.com/v1?key=1",
            path: "/users",
            server: "https://staging.example.com/v2",
            url: "https://staging.example.com/v2/users"
        ),
        Row(
            rule: "so it is for an empty path",
            own: "https://api.example.com/graphql",
            server: "https://staging.example.com/graphql?key=2",
            url: "https://staging.example.com/graphql?key=2"
        ),
        Row(
            rule: "a link below the server's URL is kept, with its query",
            own: "https://staging.example.com/users?page=2",
            server: "https://staging.example.com",
            url: "https://staging.example.com/users?page=2"
        ),
        Row(
            rule: "whatever the spelling of the origin and the end of the path",
            own: "https://STAGING.example.com:443/v1/users?page=2",
            server: "https://staging.example.com/v1/",
            url: "https://STAGING.example.com:443/v1/users?page=2"
        ),
        Row(
            rule: "a link to the server's URL itself is kept for its query",
            own: "https://staging.example.com/v1?page=2",
            server: "https://staging.example.com/v1",
            url: "https://staging.example.com/v1?page=2"
        ),
        Row(
            rule: "unless the server's URL has one",
            own: "https://staging.example.com/v1?key=1",
            server: "https://staging.example.com/v1?key=2",
            url: "https://staging.example.com/v1?key=2"
        ),
        Row(
            rule: "a URL beside the server's URL is replaced",
            own: "https://api.example.com/v1",
            server: "https://api.example.com/v2",
            url: "https://api.example.com/v2"
        ),
        Row(
            rule: "also one with a longer last segment",
            own: "https://api.example.com/v1-beta/users",
            server: "https://api.example.com/v1",
            url: "https://api.example.com/v1"
        ),
        Row(
            rule: "a link to another origin is replaced, so that no request leaves the server",
            own: "https://api.example.com/users?page=2",
            server: "https://staging.example.com",
            url: "https://staging.example.com"
        ),
        Row(
            rule: "by another scheme or port, too",
            own: "http://staging.example.com/users?page=2",
            server: "https://staging.example.com",
            url: "https://staging.example.com"
        ),
        Row(
            rule: "a path is appended where the own URL is below the server's",
            own: "https://api.example.com/v1",
            path: "users",
            server: "https://api.example.com",
            url: "https://api.example.com/users"
        ),
    ]

    @Test("the URL of the other server replaces the target's base URL, except in links below it", arguments: rows)
    func url(row: Row) throws {
        let target = SomeTarget(baseURL: try #require(URL(string: row.own)), path: row.path)
        let server = try #require(URL(string: row.server))
        #expect(MoyaProvider<SomeTarget>.endpoints(at: server)(target).url == row.url)
        #expect(MoyaProvider<MultiTarget>.endpoints(at: server)(MultiTarget(target)).url == row.url)
        #expect(MoyaProvider<SomeTarget>.endpoints(at: nil)(target).url == URL(target: target).absoluteString)
    }
}
