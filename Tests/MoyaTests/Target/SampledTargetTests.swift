import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Typed targets can have sample values")
struct SampledTargetTests {
    struct Sample<Output: Codable & Sendable & Equatable>: AnyTypedTarget, SampledTargetType {
        var sampleOutput: Output
        var outputKeyPath: String?
    }

    private func roundTrip<Output: Codable & Sendable & Equatable>(
        _ sample: Output,
        _ body: String?,
        at keyPath: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let target = Sample(sampleOutput: sample, outputKeyPath: keyPath)
        if let body {
            #expect(String(data: target.sampleData, encoding: .utf8) == body, sourceLocation: sourceLocation)
        }
        let own = MoyaProvider<Sample<Output>>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await own.request(target) == sample, sourceLocation: sourceLocation)
        let multi = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await multi.request(target) == sample, sourceLocation: sourceLocation)
    }

    @Test("the sample of a typed target is encoded and decoded, even under a key path")
    func samples() async throws {
        try await roundTrip(User(login: "a"), #"{"login":"a"}"#)
        try await roundTrip(User(login: "a"), #"{"data":{"a \"b\"":{"login":"a"}}}"#, at: #"data.a "b""#)
        try await roundTrip(User(login: "a"), #"{"":{"login":"a"}}"#, at: "")
        try await roundTrip([User(login: "a", id: 1), User(login: "b")], nil)
        try await roundTrip(User?.none, "null")
        try await roundTrip(User?.none, #"{"data":null}"#, at: "data")
        try await roundTrip(User?.some(User(login: "a")), #"{"login":"a"}"#)
        try await roundTrip(7, "7")
    }

    @Test("a sample of text or data is the stub's body, and is encoded under a key path")
    func bodies() async throws {
        try await roundTrip("a \"b\"", "a \"b\"")
        try await roundTrip("", "")
        try await roundTrip(String?.none, "")
        try await roundTrip(String?.some("a"), "a")
        try await roundTrip(Data("a".utf8), "a")
        try await roundTrip(Data?.none, "")
        try await roundTrip(Data?.some(Data("a".utf8)), "a")
        try await roundTrip("a", #"{"data":"a"}"#, at: "data")
        try await roundTrip(String?.none, #"{"data":null}"#, at: "data")
        try await roundTrip(Data("a".utf8), #"{"data":"YQ=="}"#, at: "data")
    }

    @Test("the encoder of a sampled target matches its decoder")
    func encoder() async throws {
        struct Snake: AnyTypedTarget, SampledTargetType {
            struct Output: Codable, Equatable, Sendable {
                var firstName: String
            }
            var sampleOutput: Output { Output(firstName: "a") }
            var sampleEncoder: JSONEncoder {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
            var decoder: any ResponseDecoder {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            }
        }
        #expect(Snake().sampleData == Data(#"{"first_name":"a"}"#.utf8))
        let output = try await MoyaProvider<Snake>(stubClosure: MoyaProvider.immediatelyStub).request(Snake())
        #expect(output == Snake.Output(firstName: "a"))
    }

    @Test("a sampled target may encode its sample in another format")
    func otherFormat() async throws {
        struct List: AnyTypedTarget, SampledTargetType {
            typealias Output = User
            var sampleOutput: User { User(login: "a") }
            var outputKeyPath: String? { "user" }
            var decoder: any ResponseDecoder { PropertyListDecoder() }
            func sampleBody() throws -> Data { try PropertyListEncoder().encode(["user": sampleOutput]) }
        }
        let user = try await MoyaProvider<List>(stubClosure: MoyaProvider.immediatelyStub).request(List())
        #expect(user == User(login: "a"))
    }

    @Test("the sample data of a target replaces its sample")
    func ownData() async throws {
        struct Own: AnyTypedTarget, SampledTargetType {
            typealias Output = Double
            var sampleOutput: Double { .nan }
            var sampleData: Data { Data("2.5".utf8) }
        }
        let output = try await MoyaProvider<Own>(stubClosure: MoyaProvider.immediatelyStub).request(Own())
        #expect(output == 2.5)
    }

    @Test("a sample that cannot be encoded fails the stub, and the error names the target", arguments: [false, true])
    func notEncodable(isMulti: Bool) async {
        let seen = Recorder<String?>()
        struct Watch: PluginType {
            let seen: Recorder<String?>
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
                seen.add(result.failure?.name)
            }
        }
        let target = Sample(sampleOutput: ["ratio": Double.nan])
        let error = await #expect(throws: MoyaError.self) {
            if isMulti {
                _ = try await MoyaProvider<MultiTarget>(
                    stubClosure: MoyaProvider.immediatelyStub,
                    plugins: [Watch(seen: seen)]
                ).request(target)
            } else {
                _ = try await MoyaProvider<Sample<[String: Double]>>(
                    stubClosure: MoyaProvider.immediatelyStub,
                    plugins: [Watch(seen: seen)]
                ).request(target)
            }
        }
        #expect(target.sampleData.isEmpty)
        #expect(seen.values == ["encodableMapping"])
        guard case .encodableMapping(EncodingError.invalidValue(_, let context)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let misuse = context.underlyingError as? TargetMisuse
        #expect(misuse?.property == "sampleOutput")
        #expect(misuse?.problem == "the Double at ratio can't be encoded")
        #expect(misuse?.target == "Sample<Dictionary<String, Double>>")
        #expect(error?.localizedDescription.contains("`sampleOutput`: the Double at ratio can't be encoded") == true)
    }

    @Test("an error of sampleBody fails requests for outputs and for responses")
    func ownError() async {
        struct Refusal: Error {}
        struct Broken: AnyTypedTarget, SampledTargetType {
            typealias Output = Int
            var sampleOutput: Int { 1 }
            func sampleBody() throws -> Data { throw Refusal() }
        }
        let provider = MoyaProvider<Broken>(stubClosure: MoyaProvider.immediatelyStub)
        let errors = [
            await #expect(throws: MoyaError.self) { try await provider.request(Broken()) as Int },
            await #expect(throws: MoyaError.self) { try await provider.request(Broken()) as Response },
        ]
        for error in errors {
            guard case .encodableMapping(is Refusal) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("typed targets without a sample use their sample data")
    func noSample() async throws {
        struct Bytes: AnyTypedTarget {
            typealias Output = User
            var sampleData: Data { Data(#"{"login":"bytes"}"#.utf8) }
        }
        let user = try await MoyaProvider<Bytes>(stubClosure: MoyaProvider.immediatelyStub).request(Bytes())
        #expect(user == User(login: "bytes"))
        try await MoyaProvider<Delete>(stubClosure: MoyaProvider.immediatelyStub).request(Delete())
    }
}
