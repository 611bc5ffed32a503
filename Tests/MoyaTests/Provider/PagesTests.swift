import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An application can load a list page by page")
struct PagesTests {
    struct Issue: Decodable { var title: String }
    struct Issues: TargetType {
        var page = 1
        var link: URL?
        var baseURL: URL { link ?? URL(string: "https://api.github.com")! }
        var path: String { link == nil ? "/repos/moya/moya/issues" : "" }
        var method: Moya.Method { .get }
        var task: HTTPTask {
            link == nil ? .requestFormEncodable(["page": page], destination: .queryString) : .requestPlain
        }
        var headers: [String: String]? { nil }
    }

    /// The pages' links, by the number of the page.
    private static let links = [
        #"<https://staging.example.com/repositories/1/issues?page=2>; rel="next", </repositories/1/issues?page=3>; rel="last""#,
        #"</repositories/1/issues?page=1>; rel="prev", </repositories/1/issues?page=3>; title="b, c"; rel=next"#,
        #"</repositories/1/issues?page=2>; rel="prev", </archive>; rel="next-archive""#,
    ]

    private func provider(_ asked: Recorder<String>) throws -> MoyaProvider<Issues> {
        let link = try #require(HTTPField.Name("Link"))
        let transport = FakeTransport { request in
            asked.add(request.url.absoluteString)
            let number = Int(request.url.absoluteString.split(separator: "page=").last ?? "") ?? 0
            guard Self.links.indices.contains(number - 1) else {
                return TransportResponse(status: 200, body: .complete(Data("[]".utf8)))
            }
            let body = Data(#"[{"title":"\#(number)"}]"#.utf8)
            return TransportResponse(status: 200, headers: [link: Self.links[number - 1]], body: .complete(body))
        }
        let staging = try #require(URL(string: "https://staging.example.com"))
        return MoyaProvider(endpointClosure: MoyaProvider.endpoints(at: staging), session: Session(transport))
    }

    @Test("relative and absolute links of a list can be followed at another server")
    func links() async throws {
        let asked = Recorder<String>()
        let pages = try provider(asked)
        var issues: [Issue] = []
        var next: Issues? = Issues()
        while let target = next {
            let response = try await pages.request(target).filterSuccessfulStatusCodes()
            issues += try response.map([Issue].self)
            let link = response.headers["Link"]?.firstMatch(of: #/<([^>]*)>[^<]*;\s*rel="?next(?![-\w])/#)
            next = link.flatMap { URL(string: String($0.1), relativeTo: response.response?.url) }.map {
                Issues(link: $0)
            }
        }
        #expect(issues.map(\.title) == ["1", "2", "3"])
        #expect(
            asked.values == [
                "https://staging.example.com/repos/moya/moya/issues?page=1",
                "https://staging.example.com/repositories/1/issues?page=2",
                "https://staging.example.com/repositories/1/issues?page=3",
            ]
        )
    }

    @Test("a link of a list replaces the list's URL")
    func link() {
        let pages = MoyaProvider<Issues>()
        let link = URL(string: "https://api.github.com/repositories/1/issues?page=2")
        #expect(pages.endpoint(Issues()).url == "https://api.github.com/repos/moya/moya/issues")
        #expect(pages.endpoint(Issues(link: link)).url == link?.absoluteString)
    }

    @Test("numbered pages of a list are requested up to an empty page")
    func numbers() async throws {
        let pages = try provider(Recorder())
        var issues: [Issue] = []
        // Without links, the pages have numbers, and the page after the last one is empty.
        for page in 1... {
            let found = try await pages.request(Issues(page: page)).filterSuccessfulStatusCodes().map([Issue].self)
            if found.isEmpty { break }
            issues += found
        }
        #expect(issues.map(\.title) == ["1", "2", "3"])
    }
}
