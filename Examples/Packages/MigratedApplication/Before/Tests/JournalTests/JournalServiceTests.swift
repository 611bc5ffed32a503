import Moya
import XCTest

@testable import Journal

final class JournalServiceTests: XCTestCase {
    /// Returns a service whose requests get this response, or the sample data.
    private func makeService(
        store: TokenStore = TokenStore(),
        plugins: [PluginType] = [],
        _ sample: EndpointSampleResponse? = nil
    ) -> JournalService {
        let manager = NetworkManager(
            store: store,
            stubClosure: MoyaProvider.immediatelyStub,
            sampleResponseClosure: { target in sample ?? .networkResponse(200, target.sampleData) },
            plugins: plugins
        )
        return JournalService(provider: manager.provider, store: store)
    }

    func testEntriesAreDecoded() {
        let done = expectation(description: "completion")
        makeService().entries(page: 1) { result in
            let entry = try? result.get().first
            XCTAssertEqual(entry?.title, "Sunset")
            XCTAssertEqual(entry?.createdAt, Date(timeIntervalSince1970: 1_622_577_600))
            done.fulfill()
        }
        wait(for: [done], timeout: 1)
    }

    func testLoginStoresTokens() {
        let store = TokenStore()
        let done = expectation(description: "completion")
        makeService(store: store).login(name: "ash", password: "secret") { result in
            if case .failure(let error) = result { XCTFail("\(error)") }
            done.fulfill()
        }
        wait(for: [done], timeout: 1)
        XCTAssertEqual(store.tokens?.accessToken, "sample")
    }

    func testErrorsAreMapped() {
        let offline = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        let cases: [(EndpointSampleResponse, JournalError)] = [
            (.networkResponse(401, Data()), .signedOut),
            (.networkResponse(422, #"{"message": "No title."}"#.data(using: .utf8)!), .server(message: "No title.")),
            (.networkResponse(200, "no JSON".data(using: .utf8)!), .unexpected),
            (.networkError(offline), .offline),
        ]
        for (sample, expected) in cases {
            let done = expectation(description: "completion")
            makeService(sample).create(EntryDraft(title: "", text: "")) { result in
                if case .failure(let error) = result { XCTAssertEqual(error, expected) } else { XCTFail("no error") }
                done.fulfill()
            }
            wait(for: [done], timeout: 1)
        }
    }

    func testUploadReportsProgressAndActivity() {
        var activity: [Bool] = []
        let plugin = RequestCountPlugin { activity.append($0) }
        let entry = Entry(id: 1, title: "Sunset", createdAt: Date())
        var parts: [Double] = []
        let done = expectation(description: "completion")
        makeService(plugins: [plugin]).upload(photo: Data([0xFF, 0xD8]), for: entry, progress: { parts.append($0) }) {
            XCTAssertNil($0)
            done.fulfill()
        }
        wait(for: [done], timeout: 1)
        XCTAssertEqual(parts.last, 1)
        XCTAssertEqual(activity, [true, false])
    }

    func testCancelledRequestChangesNothing() {
        let manager = NetworkManager(stubClosure: MoyaProvider.delayedStub(10), plugins: [])
        let done = expectation(description: "completion")
        let token = JournalService(provider: manager.provider).entries(page: 1) { result in
            if case .failure(let error) = result { XCTAssertEqual(error, .cancelled) } else { XCTFail("no error") }
            done.fulfill()
        }
        token.cancel()
        wait(for: [done], timeout: 1)
    }
}
