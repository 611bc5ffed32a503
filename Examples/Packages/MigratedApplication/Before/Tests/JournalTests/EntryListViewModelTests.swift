import Moya
import XCTest

@testable import Journal

final class EntryListViewModelTests: XCTestCase {
    func testReloadShowsEntries() {
        let manager = NetworkManager(stubClosure: MoyaProvider.immediatelyStub, plugins: [])
        let model = EntryListViewModel(service: JournalService(provider: manager.provider))
        model.reload()
        model.loadMore()
        XCTAssertEqual(model.entries.map { $0.title }, ["Sunset", "Sunset"])
        XCTAssertNil(model.errorText)
    }

    func testErrorHasText() {
        let manager = NetworkManager(
            stubClosure: MoyaProvider.immediatelyStub,
            sampleResponseClosure: { _ in .networkResponse(401, Data()) },
            plugins: []
        )
        let model = EntryListViewModel(service: JournalService(provider: manager.provider))
        model.reload()
        XCTAssertEqual(model.errorText, "Sign in again.")
    }
}
