#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import TestSupport
import Testing

// This file has every line of the documentation's Swift blocks about publishers, and the tests run them.

enum GitHub: String, TargetType {
    case zen
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { rawValue }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data("Half measures are as bad as nothing at all.".utf8) }
}

@Suite("The documentation's examples of publishers run", .timeLimit(.minutes(5)))
struct ReadmeTests {
    let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)

    @Test("the documentation's example of a response publisher runs")
    func response() {
        let heard = Recorder<String>()
        @Sendable func print(_ text: String) { heard.add(text) }

        var subscriptions = Set<AnyCancellable>()
        provider.requestPublisher(.zen)
            .filterSuccessfulStatusCodes()
            .mapString()
            .sink { completion in
                if case .failure(let error) = completion { print(error.localizedDescription) }
            } receiveValue: { wisdom in
                print(wisdom)
            }
            .store(in: &subscriptions)

        #expect(heard.values == ["Half measures are as bad as nothing at all."])
    }

    @Test("the documentation's example of a decoding publisher runs")
    func decoding() {
        struct User: Decodable { var login: String }
        let users = provider.requestPublisher(.zen).map(User.self, atKeyPath: "data.user")
        let failures = Recorder<MoyaError>()
        let subscription = users.sink { completion in
            if case .failure(let error) = completion { failures.add(error) }
        } receiveValue: { _ in
        }
        // The sample data is no JSON.
        #expect(failures.values.count == 1)
        subscription.cancel()
    }

    @Test("the documentation's example of a progress publisher runs")
    func progress() {
        let heard = Recorder<String>()
        @Sendable func print(_ values: Any...) {
            heard.add(values.map { "\($0)" }.joined(separator: " "))
        }

        let subscription = provider.requestWithProgressPublisher(.zen)
            .sink { _ in
            } receiveValue: { progress in
                print(progress.progress, progress.response?.statusCode ?? "…")
            }

        #expect(heard.values == ["1.0 200"])
        subscription.cancel()

        var subscriptions = Set<AnyCancellable>()
        provider.requestWithProgressPublisher(.zen)
            .filterProgress()
            .sink { _ in
            } receiveValue: { progress in
                print(progress)
            }
            .store(in: &subscriptions)
        // A stub reports only its response.
        #expect(heard.values == ["1.0 200"])
    }
}
#endif
