#if ReactiveSwift
import Foundation
import Moya
import ReactiveMoya
@preconcurrency import ReactiveSwift
import TestSupport
import Testing

// This file has every line of the Swift blocks in Documentation/ReactiveSwift.md, and the test runs them.

@Suite("The documentation's examples of producers run", .timeLimit(.minutes(5)))
struct ReadmeTests {
    enum GitHub: String, TargetType {
        case zen
        var baseURL: URL { URL(string: "https://api.github.com")! }
        var path: String { rawValue }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data(#"{"data": {"user": {"login": "octocat"}}}"#.utf8) }
    }

    struct User: Decodable { var login: String }

    @Test("the documentation's producer, progress and decoding run")
    func producers() {
        let heard = Recorder<String>()
        @Sendable func print(_ values: Any...) { heard.add(values.map { "\($0)" }.joined(separator: " ")) }
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let subscription = provider.reactive.request(.zen)
            .filterSuccessfulStatusCodes()
            .mapString()
            .startWithResult { result in
                switch result {
                case .success(let wisdom): print(wisdom)
                case .failure(let error): print(error.localizedDescription)
                }
            }
        subscription.dispose()

        let observed = provider.reactive.requestWithProgress(.zen)
            .startWithResult { result in
                if case .success(let progress) = result { print(progress.progress) }
            }
        observed.dispose()

        let users = provider.reactive.request(.zen).map(User.self, atKeyPath: "data.user")
        users.startWithResult { result in print((try? result.get())?.login ?? "none") }
        #expect(heard.values == [#"{"data": {"user": {"login": "octocat"}}}"#, "1.0", "octocat"])
    }
}
#endif
