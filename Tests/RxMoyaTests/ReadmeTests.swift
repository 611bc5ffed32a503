#if RxSwift
import Foundation
import Moya
import RxMoya
@preconcurrency import RxSwift
import TestSupport
import Testing

// This file has every line of the Swift blocks in Documentation/RxSwift.md, and the test runs them.

@Suite("The documentation's examples of observables run", .timeLimit(.minutes(5)))
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

    @Test("the documentation's single, progress and decoding run")
    func observables() {
        let heard = Recorder<String>()
        @Sendable func print(_ value: Any) { heard.add("\(value)") }
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let bag = DisposeBag()
        provider.rx.request(.zen)
            .filterSuccessfulStatusCodes()
            .mapString()
            .subscribe { event in
                switch event {
                case .success(let wisdom): print(wisdom)
                case .failure(let error): print(error.localizedDescription)
                }
            }
            .disposed(by: bag)

        provider.rx.requestWithProgress(.zen)
            .filterProgress()
            .subscribe(onNext: { progress in print(progress) })
            .disposed(by: bag)

        let users: Single<User> = provider.rx.request(.zen).map(User.self, atKeyPath: "data.user")
        users.subscribe(onSuccess: { user in print(user.login) }).disposed(by: bag)
        // The progress of a stub is only its response.
        #expect(heard.values == [#"{"data": {"user": {"login": "octocat"}}}"#, "octocat"])
    }
}
#endif
