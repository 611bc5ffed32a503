import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Members with defaults may have other types than the types in the protocol")
struct MemberSpellingTests {
    /// The values of a target's members that have defaults.
    struct Values: Equatable {
        var timeoutInterval: TimeInterval?
        var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
        var validationType = ValidationType.none
        var sampleData = Data()
        var isPathEscaped = false

        init() {}

        init(_ target: some TargetType) {
            timeoutInterval = target.timeoutInterval
            cachePolicy = target.cachePolicy
            validationType = target.validationType
            sampleData = target.sampleData
            isPathEscaped = target.isPathEscaped
        }

        static func with(_ change: (inout Values) -> Void) -> Values {
            var values = Values()
            change(&values)
            return values
        }
    }

    static let all = Values.with { values in
        values.timeoutInterval = 0.5
        values.cachePolicy = .returnCacheDataElseLoad
        values.validationType = .successCodes
        values.sampleData = Data("s".utf8)
        values.isPathEscaped = true
    }

    private static let targets: [(any TargetType, Values)] = [
        (Undeclared(), Values()),
        (AsDeclared(), all),
        (ByOptionality(), all),
        (ByNothing(), Values()),
        (Seconds(), .with { $0.timeoutInterval = 5 }),
        (Time(), .with { $0.timeoutInterval = 1.5 }),
        (Sixty(), .with { $0.timeoutInterval = 60 }),
        (InProtocol(), .with { $0.timeoutInterval = 9 }),
        (Case.some("a"), .with { $0.timeoutInterval = 3 }),
    ]

    @Test("a member with another type has the target's value directly, in a MultiTarget and in an endpoint")
    func values() throws {
        for (target, expected) in Self.targets {
            let name: Comment = "\(type(of: target))"
            #expect(Values(target) == expected, name)
            #expect(Values(MultiTarget(target)) == expected, name)
            #expect(Values(MultiTarget(MultiTarget(target))) == expected, name)
            let endpoint = MoyaProvider<MultiTarget>.defaultEndpointMapping(for: MultiTarget(target))
            #expect(endpoint.timeoutInterval == expected.timeoutInterval, name)
            #expect(endpoint.cachePolicy == expected.cachePolicy, name)
            let request = try endpoint.urlRequest()
            if let interval = expected.timeoutInterval { #expect(abs(request.timeoutInterval - interval) < 1e-9, name) }
            #expect(request.cachePolicy == expected.cachePolicy, name)
        }
    }

    @Test("a generic function reads the members of the target's protocol")
    func generic() {
        func read(_ target: some TargetType) -> [String] {
            let interval = target.timeoutInterval
            let policy = target.cachePolicy
            let data = target.sampleData
            return ["\(interval ?? -1)", "\(policy.rawValue)", "\(data.count)", "\(target.timeoutInterval ?? -1)"]
        }
        #expect(read(Undeclared()) == ["-1.0", "0", "0", "-1.0"])
        #expect(read(AsDeclared()) == ["0.5", "3", "1", "0.5"])
        #expect(read(ByOptionality()) == ["0.5", "3", "1", "0.5"])
    }

    @Test("a timeout and a validation that a target declares with other types apply to the request")
    func request() async {
        let session = Session(
            FakeTransport { request in
                #expect(request.idleTimeout == .milliseconds(500))
                return TransportResponse(status: 404, headers: [:])
            }
        )
        let provider = MoyaProvider<ByOptionality>(session: session)
        let error = await #expect(throws: MoyaError.self) {
            _ = try await provider.request(ByOptionality()) as Response
        }
        #expect(error?.statusCode == 404)
    }

    // MARK: Typed targets

    @Test("a typed target's decoder and key paths may have other types than the types in the protocol")
    func typed() throws {
        let list = try PropertyListEncoder().encode(["a": ["b": 7]])
        let json = Data(#"{"a":{"b":7}}"#.utf8)
        let rows: [(any TypedTargetType<Int>, Data, String?)] = [
            (PlainOutput(), Data("7".utf8), nil),
            (DecoderByType(), list, "a.b"),
            (SendableDecoder(), list, "a.b"),
            (OpaqueDecoder(), list, "a.b"),
            (DecoderAsDeclared(), list, "a.b"),
            (JSONByType(), json, "a.b"),
            (DecoderInProtocol(), list, "a.b"),
        ]
        for (target, body, keyPath) in rows {
            #expect(target.outputKeyPath == keyPath, "\(type(of: target))")
            #expect(target.errorBodyKeyPath == (keyPath == nil ? nil : "e"), "\(type(of: target))")
            #expect(try target.output(from: Response(statusCode: 200, data: body)) == 7, "\(type(of: target))")
        }
    }

    @Test("a sampled target may declare its sample data")
    func sampled() {
        #expect(Sampled().sampleData == Data("9".utf8))
    }

    // MARK: Plugins

    @Test("plugin hooks with a generic target are called like hooks with any target")
    func genericHooks() async throws {
        let calls = Recorder<String>()
        let plugins: [any PluginType] = [
            GenericHooks(calls: calls), AnyHooks(calls: calls), Wrapping(GenericHooks(calls: calls)),
        ]
        let provider = MoyaProvider<AsDeclared>(stubClosure: MoyaProvider.immediatelyStub, plugins: plugins)
        let response = try await provider.request(AsDeclared()) as Response
        #expect(response.statusCode == 201)
        #expect(
            calls.values == [
                "some prepare AsDeclared", "any prepare", "some prepare AsDeclared",
                "some willSend AsDeclared", "any willSend", "some willSend AsDeclared",
                "some didReceive", "any didReceive", "some didReceive",
                "some process", "any process", "some process",
            ]
        )
    }
}

// MARK: - Targets

private protocol LocalTarget: TargetType {}

extension LocalTarget {
    var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
    var path: String { "p" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

private struct Undeclared: LocalTarget {}

private struct AsDeclared: LocalTarget {
    var timeoutInterval: TimeInterval? { 0.5 }
    var cachePolicy: URLRequest.CachePolicy { .returnCacheDataElseLoad }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data { Data("s".utf8) }
    var isPathEscaped: Bool { true }
}

private struct ByOptionality: LocalTarget {
    var timeoutInterval: TimeInterval { 0.5 }
    var cachePolicy: URLRequest.CachePolicy? { .returnCacheDataElseLoad }
    var validationType: ValidationType? { .successCodes }
    var sampleData: Data? { "s".data(using: .utf8) }
    var isPathEscaped: Bool? { true }
}

private struct ByNothing: LocalTarget {
    var cachePolicy: URLRequest.CachePolicy? { nil }
    var validationType: ValidationType? { nil }
    var sampleData: Data? { nil }
    var isPathEscaped: Bool? { nil }
}

private struct Seconds: LocalTarget {
    let timeoutInterval = 5
}

private struct Time: LocalTarget {
    let timeoutInterval = Duration.milliseconds(1_500)
}

private struct Sixty: LocalTarget {
    let timeoutInterval = 60.0
}

private protocol ImpatientTarget: LocalTarget {}
extension ImpatientTarget {
    var timeoutInterval: TimeInterval { 9 }
}
private struct InProtocol: ImpatientTarget {}

private enum Case: LocalTarget {
    case none
    case some(String)

    var timeoutInterval: TimeInterval {
        switch self {
        case .none: 1
        case .some: 3
        }
    }
}

private protocol IntTarget: LocalTarget, TypedTargetType where Output == Int {}

private struct PlainOutput: IntTarget {}

private struct DecoderByType: IntTarget {
    let decoder = PropertyListDecoder()
    var outputKeyPath: String { "a.b" }
    var errorBodyKeyPath: String { "e" }
}

private struct JSONByType: IntTarget {
    var decoder: JSONDecoder { JSONDecoder() }
    let outputKeyPath = "a.b"
    let errorBodyKeyPath = "e"
}

private struct SendableDecoder: IntTarget {
    let decoder: any ResponseDecoder & Sendable = PropertyListDecoder()
    let outputKeyPath = "a.b"
    let errorBodyKeyPath = "e"
}

private struct OpaqueDecoder: IntTarget {
    var decoder: some ResponseDecoder { PropertyListDecoder() }
    let outputKeyPath = "a.b"
    let errorBodyKeyPath = "e"
}

private struct DecoderAsDeclared: IntTarget {
    var decoder: any ResponseDecoder { PropertyListDecoder() }
    var outputKeyPath: String? { "a.b" }
    var errorBodyKeyPath: String? { "e" }
}

private protocol PropertyListTarget: IntTarget {}
extension PropertyListTarget {
    var decoder: PropertyListDecoder { PropertyListDecoder() }
    var outputKeyPath: String { "a.b" }
    var errorBodyKeyPath: String { "e" }
}
private struct DecoderInProtocol: PropertyListTarget {}

private struct Sampled: IntTarget, SampledTargetType {
    var sampleOutput: Int { 8 }
    var sampleData: Data? { Data("9".utf8) }
}

// MARK: - Plugins

private struct GenericHooks: PluginType {
    let calls: Recorder<String>

    func prepare(_ request: URLRequest, target: some TargetType) -> URLRequest {
        calls.add("some prepare \(type(of: target))")
        return request
    }

    func willSend<Target: TargetType>(_ request: any RequestType, target: Target) {
        calls.add("some willSend \(Target.self)")
    }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: some TargetType) {
        calls.add("some didReceive")
    }

    func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: some TargetType
    ) -> Result<Moya.Response, MoyaError> {
        calls.add("some process")
        return result.map { Response(statusCode: 201, data: $0.data) }
    }
}

private struct AnyHooks: PluginType {
    let calls: Recorder<String>

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        calls.add("any prepare")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) { calls.add("any willSend") }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) { calls.add("any didReceive") }

    func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> {
        calls.add("any process")
        return result
    }
}

/// A plugin that forwards all hooks to another plugin.
private struct Wrapping: PluginType {
    let plugin: any PluginType

    init(_ plugin: any PluginType) { self.plugin = plugin }

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        plugin.prepare(request, target: target)
    }

    func willSend(_ request: any RequestType, target: any TargetType) { plugin.willSend(request, target: target) }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        plugin.didReceive(result, target: target)
    }

    func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> {
        plugin.process(result, target: target)
    }
}
