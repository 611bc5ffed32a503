import Foundation
import MoyaTesting
import Testing

@testable import Journal

@MainActor
struct EntryListViewModelTests {
    @Test func reloadShowsEntries() async {
        let manager = NetworkManager(stubClosure: MoyaProvider.immediatelyStub, plugins: [])
        let model = EntryListViewModel(service: JournalService(manager: manager))
        await model.reload()
        await model.loadMore()
        #expect(model.entries.map { $0.title } == ["Sunset", "Sunset"])
        #expect(model.errorText == nil)
    }

    @Test func errorHasText() async {
        let manager = NetworkManager(
            stubClosure: MoyaProvider.immediatelyStub,
            sampleResponseClosure: { _ in .networkResponse(401, Data()) },
            plugins: []
        )
        let model = EntryListViewModel(service: JournalService(manager: manager))
        await model.reload()
        #expect(model.errorText == "Sign in again.")
    }

    @Test func cancelledRequestChangesNothing() async throws {
        let manager = NetworkManager(stubClosure: MoyaProvider.delayedStub(0.05), plugins: [])
        let model = EntryListViewModel(service: JournalService(manager: manager))
        async let first: Void = model.reload()
        await model.reload()
        await first
        #expect(model.entries.map { $0.title } == ["Sunset"])
        #expect(model.errorText == nil)
    }
}
