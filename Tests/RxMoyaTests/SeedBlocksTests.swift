#if RxSwift
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import RxMoya
@preconcurrency import RxSwift
import Testing

/// The code for RxSwift from the documents that define the project, in the spelling of RxSwift 6; the documents
/// have the spelling of RxSwift 4, and comments in place of statements.
@Suite("The blocks of the seeds for RxSwift run", .timeLimit(.minutes(5)))
struct SeedBlocksTests {
    enum GitHub: TargetType {
        case zen
        case userProfile(String)
        var baseURL: URL { URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }
        var path: String { "/zen" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data("Design for failure.".utf8) }
    }

    private let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)

    @Test(
        "seed 000, block 39: a subscription receives a request's response, and .error is .failure since RxSwift 6"
    )
    func request() {
        let provider = stubbed
        var wisdom: String?
        _ = provider.rx.request(.zen).subscribe { event in
            switch event {
            case .success(let response):
                wisdom = try? response.mapString()
            case .failure(let error):
                Issue.record(error)
            }
        }
        #expect(wisdom == "Design for failure.")
    }

    @Test("seed 000, block 40: a subscription receives the events of a request with progress")
    func requestWithProgress() {
        let provider = stubbed
        var progress: [Double] = []
        var wisdom: String?
        _ = provider.rx.requestWithProgress(.zen).subscribe { event in
            switch event {
            case .next(let progressResponse):
                if let response = progressResponse.response {
                    wisdom = try? response.mapString()
                } else {
                    progress.append(progressResponse.progress)
                }
            case .error(let error):
                Issue.record(error)
            default:
                break
            }
        }
        #expect(wisdom == "Design for failure.")
        #expect(progress.isEmpty)
    }

    @Test(
        "seed 000, block 42: a response is received on another thread, and observeOn(_:) is observe(on:) since RxSwift 6"
    )
    func threads() async {
        let provider: MoyaProvider<GitHub>
        provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let first = Locked(false)
        let second = Promise<Bool>()
        let here = thread()
        let subscription = provider.rx.request(.userProfile("ashfurrow"))
            .map { response in
                first.withLock { $0 = thread() == here }
                return response
            }
            .observe(on: ConcurrentDispatchQueueScheduler(qos: .utility))
            .map { _ in second.fulfill(thread() == here) }
            .subscribe()
        #expect(first.withLock { $0 })
        #expect(await second.wait() == false)
        subscription.dispose()
    }

    /// Returns the identity of the current thread.
    private func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
#endif
