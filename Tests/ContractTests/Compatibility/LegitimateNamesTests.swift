import Foundation
import Moya
import Testing

/// Checks that an application may declare names that earlier versions of the library had, or that the library declares as removed.
@Suite("Compatibility names do not prevent an application's names")
struct LegitimateNamesTests {
    /// The application's types.
    struct Manager { let name = "own" }
    enum UploadType { case own }
    struct ServerTrustPolicy { let name = "own" }
    enum AFError: Error { case own }

    /// A target that gets members from a protocol of the application.
    struct Search: TargetType, Parametrized, Checked {
        let baseURL = URL(string: "https://shop.test")!
        let path = ""
        let method: Moya.Method = .get
        let headers: [String: String]? = nil
        var task: Task { return .requestParameters(parameters: parameters ?? [:], encoding: parameterEncoding) }
    }

    enum Listing: TargetType {
        case all(parameters: [String: Any])

        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "" }
        var method: Moya.Method { return .get }
        var headers: [String: String]? { return nil }
        var parameters: [String: Any] {
            switch self {
            case .all(let parameters): return parameters
            }
        }
        var parameterEncoding: ParameterEncoding { return URLEncoding.queryString }
        var validate: Bool { return false }
        var task: Task { return .requestParameters(parameters: parameters, encoding: parameterEncoding) }
    }

    final class Job: Cancellable, @unchecked Sendable {
        var isCancelled = false
        var cancelled: Bool { return isCancelled }
        func cancel() { isCancelled = true }
    }

    @Test("a target may have parameters, parameterEncoding and validate")
    func target() throws {
        #expect(try MoyaProvider<Search>().endpoint(Search()).urlRequest().url?.query == "page=1")
        #expect(Search().validate && Search().isValid)
        let listing = Listing.all(parameters: ["a": 1])
        #expect(try MoyaProvider<Listing>().endpoint(listing).urlRequest().url?.query == "a=1")
        #expect(listing.parameters.count == 1 && !listing.validate)
    }

    @Test("an application may declare types with the names of removed types")
    func types() {
        #expect(Manager().name == "own" && ServerTrustPolicy().name == "own")
        if case .own = UploadType.own {}
        #expect((AFError.own as Error) is AFError)
    }

    @Test("an application may declare removed members in extensions, and a separate protocol with cancel")
    func members() throws {
        let result: Result<Moya.Response, MoyaError> = .success(Response(statusCode: 200, data: Data("[1]".utf8)))
        #expect(result.value?.statusCode == 200 && result.error == nil)
        #expect(try result.value?.mapArray(Int.self) == [1])
        let job = Job()
        job.cancel()
        #expect(job.cancelled)
    }
}

protocol Parametrized {
    var parameters: [String: Any]? { get }
    var parameterEncoding: ParameterEncoding { get }
}

extension Parametrized {
    var parameters: [String: Any]? { return ["page": 1] }
    var parameterEncoding: ParameterEncoding { return URLEncoding.queryString }
}

protocol Checked {
    var validate: Bool { get }
}

extension Checked {
    var validate: Bool { return true }
    var isValid: Bool { return validate }
}

extension Result {
    fileprivate var value: Success? { return try? get() }
    fileprivate var error: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

extension Response {
    fileprivate func mapArray<Element: Decodable>(_ type: Element.Type) throws -> [Element] {
        return try map([Element].self)
    }
}
