import Foundation
import Moya

/// The state of the screen that lists the entries.
@MainActor
final class EntryListViewModel {
    private(set) var entries: [Entry] = []
    private(set) var errorText: String?
    var onChange: (() -> Void)?

    private let service: JournalService
    private var nextPage = 1
    private var running: Task<Void, Never>?

    init(service: JournalService = JournalService()) {
        self.service = service
    }

    func reload() async {
        running?.cancel()
        entries = []
        nextPage = 1
        await loadMore()
    }

    func loadMore() async {
        errorText = nil
        let task = Task { await load() }
        running = task
        await task.value
    }

    private func load() async {
        do {
            entries += try await service.entries(page: nextPage)
            nextPage += 1
        } catch .cancelled {
            return
        } catch {
            errorText = EntryListViewModel.text(of: error)
        }
        onChange?()
    }

    private static func text(of error: JournalError) -> String {
        switch error {
        case .offline: return "You are offline."
        case .signedOut: return "Sign in again."
        case .server(let message): return message
        case .cancelled, .unexpected: return "Something went wrong."
        }
    }
}
