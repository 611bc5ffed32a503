import Foundation
import Moya

/// The state of the screen that lists the entries.
final class EntryListViewModel {
    private(set) var entries: [Entry] = []
    private(set) var errorText: String?
    var onChange: (() -> Void)?

    private let service: JournalService
    private var nextPage = 1
    private var running: Cancellable?

    init(service: JournalService = JournalService()) {
        self.service = service
    }

    func reload() {
        running?.cancel()
        entries = []
        nextPage = 1
        loadMore()
    }

    func loadMore() {
        errorText = nil
        running = service.entries(page: nextPage) { [weak self] result in
            guard let self = self else { return }
            switch result {
            case .success(let entries):
                self.entries += entries
                self.nextPage += 1
            case .failure(.cancelled):
                return
            case .failure(let error):
                self.errorText = EntryListViewModel.text(of: error)
            }
            self.onChange?()
        }
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
