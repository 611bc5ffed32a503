import Moya
import Testing

// This file does not import Foundation, because applications use Foundation's types with `import Moya` alone.
@Suite("An import of Moya provides other modules' names as the contract requires")
struct ImportTests {
    /// The first example of the README, with the earlier name of the task.
    enum GitHub: String, TargetType {
        case zen
        var baseURL: URL { URL(string: "https://api.github.com")! }
        var path: String { rawValue }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data(#"{"at": 0}"#.utf8) }
    }

    struct Event: Decodable {
        let at: Date
    }

    @Test("an import of Moya makes Foundation's names available")
    func foundation() throws {
        var event: Event?
        MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub).request(.zen) { result in
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            event = try? result.get().map(Event.self, using: decoder)
        }
        #expect(event?.at == Date(timeIntervalSince1970: 0))
        let request: URLRequest = try MoyaProvider.defaultEndpointMapping(for: GitHub.zen).urlRequest()
        #expect(request.url?.lastPathComponent == "zen")
    }
}
