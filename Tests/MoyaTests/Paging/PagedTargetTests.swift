import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A typed target declares its pagination")
struct PagedTargetTests {
    private struct Problem: Decodable, Error, Equatable { var message: String }

    private struct Numbers: PagedTargetType {
        typealias Output = [Int]
        typealias ErrorBody = Problem
        var last = 3
        var pagination: Pagination { .cursor(at: "next", query: "from") }
        var outputKeyPath: String? { "items" }
        var baseURL: URL { URL(string: "https://a.example") ?? URL(fileURLWithPath: "/") }
        var path: String { "/numbers" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestParameters(parameters: ["last": last], encoding: URLEncoding.queryString) }
        var headers: [String: String]? { nil }
    }

    private let network = PagedNetwork([
        "/numbers?last=3": PagedNetwork.Answer(body: #"{"items":[1],"next":2}"#),
        "/numbers?last=3&from=2": PagedNetwork.Answer(body: #"{"items":[2,3]}"#),
        "/numbers?last=4": PagedNetwork.Answer(body: #"{"items":[1],"next":9}"#),
        "/numbers?last=4&from=9": PagedNetwork.Answer(status: 422, body: #"{"message":"no"}"#),
    ])

    @Test("the items are those of the target's output, also through a MultiTarget")
    func items() async throws {
        let provider = MoyaProvider<Numbers>(session: network.session)
        #expect(try await provider.pages(Numbers()).all() == [1, 2, 3])
        let multi = MoyaProvider<MultiTarget>(session: network.session)
        #expect(try await multi.pages(Numbers()).all() == [1, 2, 3])
        // A request returns one page.
        let page = try await provider.request(Numbers())
        #expect(page == [1])
    }

    @Test("the error body of the target is thrown for a refused page")
    func refused() async {
        let provider = MoyaProvider<Numbers>(session: network.session)
        var iterator = provider.pages(Numbers(last: 4)).makeAsyncIterator()
        #expect(await (try? iterator.next()) == 1)
        let error = await #expect(throws: MoyaError.self) { try await iterator.next() }
        guard case .underlying(let problem as Problem, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem == Problem(message: "no"))
        #expect(iterator.position?.number == 2)
    }
}
