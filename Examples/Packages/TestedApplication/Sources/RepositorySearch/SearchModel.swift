import Moya
import Observation

/// The state of a screen that searches repositories.
@MainActor
@Observable
final class SearchModel {
    enum State: Equatable, Sendable {
        case empty
        case searching
        case found([Repository])
        case failed(String)
    }

    private(set) var state = State.empty
    private(set) var starred: Set<String> = []
    private(set) var hasMore = false

    private let provider: MoyaProvider<GitHub>
    private var text = ""
    private var page = 1
    private var running: Task<Void, Never>?

    init(provider: MoyaProvider<GitHub>) {
        self.provider = provider
    }

    convenience init(token: @escaping @Sendable () -> String) {
        self.init(provider: .application(token: token))
    }

    /// Shows the first repositories for a text, and ends the previous search.
    func search(_ text: String) async {
        self.text = text.trimmingCharacters(in: .whitespaces)
        hasMore = false
        running?.cancel()
        guard !self.text.isEmpty else {
            state = .empty
            return
        }
        state = .searching
        await load(page: 1, after: [])
    }

    /// Shows more repositories below the previous ones.
    func loadMore() async {
        guard hasMore, case .found(let repositories) = state else { return }
        hasMore = false
        await load(page: page + 1, after: repositories)
    }

    /// Shows a star at once, and removes it if the server refuses it.
    func star(_ repository: Repository) async {
        guard starred.insert(repository.name).inserted else { return }
        do {
            _ = try await provider.request(.star(repository: repository.name), orThrow: GitHubFailure.self)
        } catch {
            starred.remove(repository.name)
            state = .failed(Self.text(of: error))
        }
    }

    private func load(page: Int, after previous: [Repository]) async {
        let target = GitHub.search(text: text, page: page)
        let task = Task { await show(target, page: page, after: previous) }
        running = task
        await task.value
    }

    private func show(_ target: GitHub, page: Int, after previous: [Repository]) async {
        do {
            let found = try await provider.request(target, orThrow: GitHubFailure.self).map(SearchPage.self)
            // A search that another one has replaced changes nothing.
            guard !Task.isCancelled else { return }
            let repositories = previous + found.items
            self.page = page
            hasMore = repositories.count < found.total
            state = .found(repositories)
        } catch {
            if !Task.isCancelled { state = .failed(Self.text(of: error)) }
        }
    }

    private static func text(of error: MoyaError) -> String {
        if case .underlying(let failure as GitHubFailure, _) = error { return failure.message }
        if error.isTimeout { return "The server does not respond." }
        switch error.urlError?.code {
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost:
            return "There is no connection."
        default:
            return "The response cannot be read."
        }
    }
}
