import Foundation
import Moya
import Testing

/// Runs the blocks that do not compile unchanged, with minimal additions; BLOCKS.md lists the missing parts of each block.
@Suite("Blocks of the seeds that do not compile unchanged run after an adaptation")
struct AdaptedBlocksTests {
    enum YourAPI: TargetType, AccessTokenAuthorizable {
        case targetThatNeedsBearerAuth
        case targetThatNeedsBasicAuth
        case targetDoesNotNeedAuth

        var authorizationType: AuthorizationType? {
            switch self {
            case .targetThatNeedsBearerAuth:
                return .bearer
            case .targetThatNeedsBasicAuth:
                return .basic
            case .targetDoesNotNeedAuth:
                return .none
            }
        }

        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// A signer that signs asynchronously on another thread, like a signer that uses a server.
    enum YourAwesomeOAuthProvider {
        static func signRequest(_ request: URLRequest, completion: @escaping (URLRequest) -> Void) {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) {
                var signed = request
                signed.setValue("OAuth signature", forHTTPHeaderField: "Authorization")
                completion(signed)
            }
        }
    }

    @Test("Seed 004, block 8: data and status code are read from a success, and the error from a failure")
    func resultIsTakenApart() throws {
        var seen: [String] = []
        func request(_ provider: MoyaProvider<MyService>) {
            provider.request(.zen) { result in
                switch result {
                case let .success(moyaResponse):
                    let data = moyaResponse.data
                    let statusCode = moyaResponse.statusCode
                    seen.append("\(statusCode) \(String(decoding: data, as: UTF8.self))")
                case let .failure(error):
                    seen.append(error.localizedDescription)
                }
            }
        }
        request(StubbedProvider(endpointClosure: Seed004.endpointClosure()))
        request(
            StubbedProvider { target in
                let timeout = NSError(
                    domain: NSURLErrorDomain,
                    code: NSURLErrorTimedOut,
                    userInfo: [NSLocalizedDescriptionKey: "it took too long"]
                )
                return Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkError(timeout) },
                    method: target.method,
                    task: target.task
                )
            }
        )
        #expect(seen == ["200 Half measures are as bad as nothing at all.", "it took too long"])
    }

    @Test("Seed 002, block 4: a closure stubs one target and not another")
    func targetsAreStubbedOneByOne() {
        let provider = MoyaProvider<MyTarget>(stubClosure: { (target: MyTarget) -> Moya.StubBehavior in
            switch target {
            case .authenticate: .never
            case .list: .delayed(seconds: 0.2)
            }
        })
        if case .never = provider.stubClosure(.authenticate) {} else { Issue.record("authenticate is stubbed") }
        if case .delayed(seconds: 0.2) = provider.stubClosure(.list) {} else { Issue.record("list is not delayed") }
    }

    @Test("Seed 000, blocks 26 to 29: the token is in the header, with the target's scheme")
    func tokenIsAdded() throws {
        let token = "eyeAm.AJsoN.weBTOKen"
        let authPlugin = AccessTokenPlugin { _ in token }
        let provider = StubbedProvider<YourAPI>(plugins: [authPlugin])
        func authorization(of target: YourAPI) throws -> String? {
            try provider.response(of: target).request?.value(forHTTPHeaderField: "Authorization")
        }
        #expect(try authorization(of: .targetThatNeedsBearerAuth) == "Bearer eyeAm.AJsoN.weBTOKen")
        #expect(try authorization(of: .targetThatNeedsBasicAuth) == "Basic eyeAm.AJsoN.weBTOKen")
        #expect(try authorization(of: .targetDoesNotNeedAuth) == nil)
    }

    @Test("Seed 000, block 30: a request can be signed later, on another thread")
    func requestIsSignedLater() async throws {
        let requestClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider.RequestResultClosure) in
            guard let request = try? endpoint.urlRequest() else {
                done(.failure(.requestMapping(endpoint.url)))
                return
            }
            YourAwesomeOAuthProvider.signRequest(request) { signedRequest in
                done(.success(signedRequest))
            }
        }
        let provider = StubbedProvider<YourAPI>(requestClosure: requestClosure)
        let result = await withCheckedContinuation { continuation in
            provider.request(.targetDoesNotNeedAuth) { continuation.resume(returning: $0) }
        }
        let response = try result.get()
        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "OAuth signature")
        #expect(response.request?.url?.absoluteString == "https://api.example.com")
    }

    @Test("Seed 000, block 41: the completion is called on the provider's callback queue")
    func completionIsCalledOnQueue() async {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "callbacks", qos: .utility)
        queue.setSpecific(key: key, value: "utility")
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub,
            callbackQueue: queue
        )
        let place = await withCheckedContinuation { continuation in
            provider.request(.userProfile("ashfurrow")) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key))
            }
        }
        #expect(place == "utility")
    }
}
