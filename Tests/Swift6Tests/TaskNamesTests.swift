import Foundation
import Moya
import Testing

@Suite("In Swift 6 mode, HTTPTask does not hide the language's Task")
struct TaskNamesTests {
    enum Catalog: TargetType {
        case book(id: Int)
        case missing

        var baseURL: URL { URL(string: "https://catalogue.test")! }

        var path: String {
            switch self {
            case .book(let id): "books/\(id)"
            case .missing: "nothing"
            }
        }

        var method: Moya.Method { .get }
        var task: HTTPTask { .requestParameters(parameters: ["lang": "en"], encoding: URLEncoding.queryString) }
        var validationType: ValidationType { .successCodes }
        var headers: [String: String]? { nil }
    }

    struct Book: Decodable, Equatable {
        let id: Int
    }

    /// A provider whose stubs respond with the requested book, or with 404.
    let provider = MoyaProvider<Catalog>(
        endpointClosure: { target in
            Endpoint(
                url: URL(target: target).absoluteString,
                sampleResponseClosure: {
                    switch target {
                    case .book(let id): .networkResponse(200, Data(#"{"id": \#(id)}"#.utf8))
                    case .missing: .networkResponse(404, Data("no such thing".utf8))
                    }
                },
                method: target.method,
                task: target.task
            )
        },
        stubClosure: MoyaProvider.immediatelyStub
    )

    @Test("`Task { }` starts a Swift task, and `HTTPTask` is a target's task")
    func taskIsOfTheLanguage() async throws {
        let provider = provider
        let running = Task { try await provider.request(.book(id: 1)) }
        let response = try await running.value
        #expect(response.request?.url?.absoluteString == "https://catalogue.test/books/1?lang=en")
        let sent: HTTPTask = Catalog.missing.task
        if case .requestParameters(let parameters, _) = sent {
            #expect(parameters["lang"] as? String == "en")
        } else {
            Issue.record("the target sends something else")
        }
    }

    @Test("an error of a provider's request is caught as a MoyaError without a cast")
    func errorIsTyped() async {
        do throws(MoyaError) {
            _ = try await provider.request(.missing)
            Issue.record("404 was accepted")
        } catch {
            let caught: MoyaError = error
            #expect(caught.response?.statusCode == 404)
            #expect(caught.response?.data == Data("no such thing".utf8))
        }
    }

    @Test("`async let` runs requests of a provider concurrently")
    func requestsRunInAsyncLet() async throws {
        async let first = provider.request(.book(id: 1))
        async let second = provider.request(.book(id: 2))
        let books = try await [first, second].map { try $0.map(Book.self) }
        #expect(books == [Book(id: 1), Book(id: 2)])
    }

    @Test("a task group shares one provider")
    func requestsRunInTaskGroup() async throws {
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for id in 1...20 {
                group.addTask { [provider] in
                    try await provider.request(.book(id: id)).map(Book.self).id
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(ids == Set(1...20))
    }

    @Test("a cancelled Swift task ends its request with URLError.cancelled")
    func cancelledTaskCancelsRequest() async {
        let provider = MoyaProvider<Catalog>(stubClosure: MoyaProvider.delayedStub(3600))
        let running = Task { () -> MoyaError? in
            do throws(MoyaError) {
                _ = try await provider.request(.book(id: 1))
                return nil
            } catch {
                return error
            }
        }
        running.cancel()
        guard case .underlying(let error as URLError, nil) = await running.value else {
            Issue.record("the request was not cancelled")
            return
        }
        #expect(error.code == .cancelled)
    }
}
