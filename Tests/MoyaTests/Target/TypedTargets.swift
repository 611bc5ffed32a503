import Foundation
import Moya
import MoyaHTTP
import Testing

struct User: Codable, Equatable, Sendable {
    var login: String
    var id: Int?
}

/// The decoded body of an error.
struct APIFailure: Decodable, Error, Equatable {
    var message: String
}

/// A typed target with only the members that have no default.
struct GetUser: TypedTargetType, Equatable {
    typealias Output = User
    var name: String

    var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
    var path: String { "/users/\(name)" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

/// The common properties of the tests' typed targets.
protocol AnyTypedTarget: TypedTargetType {}

extension AnyTypedTarget {
    var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
    var path: String { "/thing" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

/// A typed target with a Decodable output, whose properties a test sets.
struct Ask<Output: Decodable & Sendable>: AnyTypedTarget {
    typealias ErrorBody = APIFailure
    var baseURL = URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/")
    var path = "/thing"
    var validationType: ValidationType = .successCodes
    var outputKeyPath: String?
    var errorBodyKeyPath: String?
    var makeDecoder: @Sendable () -> any ResponseDecoder = { JSONDecoder() }
    var decoder: any ResponseDecoder { makeDecoder() }
}

/// A typed target without an output.
struct Delete: AnyTypedTarget {
    typealias Output = Void
}

/// A typed target whose output is the response.
struct Look: AnyTypedTarget {
    typealias Output = Response
}

/// The entry points for the output of a typed target.
enum TypedEntryPoint: String, CaseIterable, Sendable {
    case async, callback, multiAsync, multiCallback

    /// Requests a target and waits for the output; more than one completion fails the test.
    ///
    /// With `stub` the response is stubbed, otherwise the request is sent.
    func request<Target: TypedTargetType>(
        _ target: Target,
        stub: (status: Int, body: String)?
    ) async -> Result<Target.Output, MoyaError> {
        do throws(MoyaError) {
            switch self {
            case .async:
                return .success(try await provider(of: Target.self, stub: stub).request(target))
            case .multiAsync:
                return .success(try await provider(of: MultiTarget.self, stub: stub).request(target))
            case .callback:
                let result = Promise<Result<Target.Output, MoyaError>>()
                provider(of: Target.self, stub: stub).requestOutput(target, callbackQueue: .global()) {
                    if !result.fulfill($0) { Issue.record("completed twice") }
                }
                return await result.wait()
            case .multiCallback:
                let result = Promise<Result<Target.Output, MoyaError>>()
                provider(of: MultiTarget.self, stub: stub).requestOutput(target, callbackQueue: .global()) {
                    if !result.fulfill($0) { Issue.record("completed twice") }
                }
                return await result.wait()
            }
        } catch {
            return .failure(error)
        }
    }
}

/// Creates a provider with a fixed stub, or one that sends requests.
func provider<Target: TargetType>(
    of type: Target.Type = Target.self,
    stub: (status: Int, body: String)?,
    plugins: [any PluginType] = []
) -> MoyaProvider<Target> {
    guard let stub else { return MoyaProvider(plugins: plugins) }
    return MoyaProvider(
        endpointClosure: { target in
            Endpoint(
                url: URL(target: target).absoluteString,
                sampleResponseClosure: { .networkResponse(stub.status, Data(stub.body.utf8)) },
                method: target.method,
                task: target.task,
                httpHeaderFields: target.headers
            )
        },
        stubClosure: MoyaProvider.immediatelyStub,
        plugins: plugins
    )
}

extension Result where Failure == MoyaError {
    /// The failure.
    var failure: MoyaError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
