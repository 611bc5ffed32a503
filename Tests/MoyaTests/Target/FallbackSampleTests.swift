import Foundation
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The sample data of a target takes the place of a failed request")
struct FallbackSampleTests {
    private struct Sampled: TargetType {
        var method: Moya.Method = .get
        var sample = "sample"
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/x" }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data(sample.utf8) }
        var validationType: ValidationType { .successCodes }
    }

    private func session(_ transport: FakeTransport) -> Session {
        var resilience = Resilience()
        resilience.fallbacks = [.sampleData]
        return Session(transport: transport, resilience: resilience)
    }

    private let unreachable = FakeTransport { _ in throw URLError(.cannotConnectToHost) }

    @Test("a target and a MultiTarget get the sample with the status 200, and its source")
    func sample() async throws {
        let response = try await MoyaProvider<Sampled>(session: session(unreachable)).request(Sampled())
        #expect(try response.mapString() == "sample")
        #expect(response.statusCode == 200 && response.source == .sample)
        let provider = MoyaProvider<MultiTarget>(session: session(unreachable))
        #expect(try await provider.request(MultiTarget(Sampled())).mapString() == "sample")
    }

    @Test("the validation gets the sample in place of a status of the fallback, and other statuses as they are")
    func validation() async throws {
        let unavailable = MoyaProvider<Sampled>(session: session(.body("down", status: 503)))
        #expect(try await unavailable.request(Sampled()).mapString() == "sample")
        let missing = MoyaProvider<Sampled>(session: session(.body("missing", status: 404)))
        let error = await #expect(throws: MoyaError.self) { try await missing.request(Sampled()) }
        #expect(error?.statusCode == 404)
    }

    @Test(
        "a target without a sample, an unsafe method, and a request without a target have no fallback",
        arguments: [(Moya.Method.get, ""), (.post, "sample"), (.put, "sample"), (.delete, "sample")]
    )
    func none(_ method: Moya.Method, _ sample: String) async throws {
        let provider = MoyaProvider<Sampled>(session: session(unreachable))
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(Sampled(method: method, sample: sample))
        }
        #expect(error?.urlError?.code == .cannotConnectToHost)
        await #expect(throws: URLError(.cannotConnectToHost)) {
            try await session(unreachable).data(for: URLRequest(url: Sampled().baseURL))
        }
    }
}
