import Foundation
import Moya
import Testing

// The compiler checks most of this file: the target is built in Swift 5, and warnings are errors.
@Suite("Names and types that applications in Swift 5 use are available")
struct TypeFactsTests {
    // MARK: Switches without a default, which would not compile if an enum had another case

    private func name(_ task: Task) -> String {
        switch task {
        case .requestPlain: "requestPlain"
        case .requestData: "requestData"
        case .requestJSONEncodable: "requestJSONEncodable"
        case .requestCustomJSONEncodable: "requestCustomJSONEncodable"
        case .requestParameters: "requestParameters"
        case .requestCompositeData: "requestCompositeData"
        case .requestCompositeParameters: "requestCompositeParameters"
        case .uploadFile: "uploadFile"
        case .uploadMultipart: "uploadMultipart"
        case .uploadCompositeMultipart: "uploadCompositeMultipart"
        case .downloadDestination: "downloadDestination"
        case .downloadParameters: "downloadParameters"
        }
    }

    private func inner(_ target: MultiTarget) -> TargetType {
        switch target {
        case .target(let target): target
        }
    }

    private func name(_ behavior: StubBehavior) -> String {
        switch behavior {
        case .never: "never"
        case .immediate: "immediate"
        case .delayed(let seconds): "delayed \(seconds)"
        }
    }

    private func name(_ type: ValidationType) -> String {
        switch type {
        case .none: "none"
        case .successCodes: "successCodes"
        case .successAndRedirectCodes: "successAndRedirectCodes"
        case .customCodes(let codes): "customCodes \(codes)"
        }
    }

    private func name(_ type: AuthorizationType) -> String {
        switch type {
        case .basic: "basic"
        case .bearer: "bearer"
        case .custom(let value): "custom \(value)"
        }
    }

    private func name(_ error: MoyaError) -> String {
        switch error {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .encodableMapping: "encodableMapping"
        case .statusCode: "statusCode"
        case .underlying: "underlying"
        case .requestMapping: "requestMapping"
        case .parameterEncoding: "parameterEncoding"
        }
    }

    @Test("fact 149: a switch over an enum of the library needs no default")
    func enums() {
        #expect(name(Task.requestPlain) == "requestPlain")
        #expect(inner(.target(MyTarget.list)) is MyTarget)
        #expect(name(StubBehavior.delayed(seconds: 2)) == "delayed 2.0")
        #expect(name(ValidationType.customCodes([200])) == "customCodes [200]")
        #expect(name(AuthorizationType.custom("X")) == "custom X")
        #expect(name(MoyaError.requestMapping("")) == "requestMapping")
    }

    /// A subclass, which compiles because the class is open.
    private final class OwnEndpoint: Endpoint {}
    private final class OwnProvider: MoyaProvider<MyTarget> {}

    @Test("fact 149: Response, Endpoint and MoyaProvider are classes, and the enums and parts are value types")
    func classes() {
        func isClass<T>(_ type: T.Type) -> Bool { type is AnyClass }
        #expect(isClass(Response.self))
        #expect(isClass(Endpoint.self) && isClass(OwnEndpoint.self))
        #expect(isClass(MoyaProvider<MyTarget>.self) && isClass(OwnProvider.self))
        #expect(!isClass(Task.self))
        #expect(!isClass(MultiTarget.self))
        #expect(!isClass(StubBehavior.self))
        #expect(!isClass(ValidationType.self))
        #expect(!isClass(AuthorizationType.self))
        #expect(!isClass(MoyaError.self))
    }

    // MARK: Targets

    /// A target that declares only the required members.
    private struct Bare: TargetType {
        let baseURL = URL(string: "https://api.example.com")!
        let path = "/bare"
        let method = Moya.Method.get
        let task = Task.requestPlain
        let headers: [String: String]? = nil
    }

    private struct Holder {
        var target: TargetType
        var all: [TargetType] = []
        var handler: ((TargetType) -> TargetType?)?
    }

    @Test("fact 150: TargetType can be used as a type without any, and validation and sample data have defaults")
    func existentials() {
        var holder = Holder(target: Bare(), all: [Bare(), MyTarget.list, MultiTarget(Bare())])
        holder.handler = { $0 as? MyTarget }
        #expect(holder.all.map(\.path) == ["/bare", "items", "/bare"])
        #expect(holder.handler?(MyTarget.list)?.path == "items")
        #expect(holder.handler?(holder.target) == nil)
        #expect(holder.target.validationType == .none)
        #expect(holder.target.sampleData == Data())
        #expect(URL(target: MultiTarget(holder.target)).absoluteString == "https://api.example.com/bare")
    }

    // MARK: Parameters

    /// A class that is not Sendable.
    private final class Form: Encodable {
        var text = "a b"
    }

    /// A target that stores parameters of any type, as applications declare it.
    private struct Search: TargetType {
        var parameters: [String: Any]
        var form: Encodable?
        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: String { "search" }
        var method: Moya.Method { .post }
        var headers: [String: String]? { nil }
        var task: Task {
            if let form { return .requestJSONEncodable(form) }
            return .requestCompositeParameters(
                bodyParameters: parameters,
                bodyEncoding: JSONEncoding.default,
                urlParameters: parameters
            )
        }
    }

    @Test(
        "fact 151: parameters have the type [String: Any], and values have any Encodable type, without being Sendable"
    )
    func parameters() throws {
        let parameters: [String: Any] = ["a": 1, "b": NSMutableString(string: "text")]
        let request = try StubbedProvider<Search>().response(of: Search(parameters: parameters)).request
        #expect(request?.url?.absoluteString == "https://api.example.com/search?a=1&b=text")
        let body = try JSONSerialization.jsonObject(with: request?.httpBody ?? Data()) as? [String: Any]
        #expect(body?["b"] as? String == "text")
        let form = Search(parameters: [:], form: Form())
        let encoded = try StubbedProvider<Search>().response(of: form).request
        #expect(encoded?.httpBody == Data(#"{"text":"a b"}"#.utf8))
        let tasks: [Task] = [
            .requestParameters(parameters: parameters, encoding: URLEncoding.default),
            .requestCompositeData(bodyData: Data(), urlParameters: parameters),
            .uploadCompositeMultipart([], urlParameters: parameters),
            .downloadParameters(
                parameters: parameters,
                encoding: URLEncoding.default,
                destination: { url, _ in (url, []) }
            ),
            .requestCustomJSONEncodable(Form(), encoder: JSONEncoder()),
        ]
        #expect(Set(tasks.map(name)).count == 5)
    }
}
