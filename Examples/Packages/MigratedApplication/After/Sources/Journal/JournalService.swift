import Foundation
import Moya

/// Sends the requests of the journal.
final class JournalService: Sendable {
    private let manager: NetworkManager
    private var provider: MoyaProvider<JournalAPI> { return manager.provider }

    convenience init() {
        self.init(manager: .shared)
    }

    init(manager: NetworkManager) {
        self.manager = manager
    }

    func login(name: String, password: String) async throws(JournalError) {
        do {
            let response = try await manager.login.request(.login(name: name, password: password))
            manager.authentication.credential = try response.map(Tokens.self, using: JSONDecoder.journal)
        } catch {
            throw JournalError(error)
        }
    }

    func entries(page: Int, tag: String? = nil) async throws(JournalError) -> [Entry] {
        do {
            let response = try await provider.request(.entries(page: page, tag: tag))
            return try response.map([Entry].self, atKeyPath: "data.entries", using: JSONDecoder.journal)
        } catch {
            throw JournalError(error)
        }
    }

    func create(_ draft: EntryDraft) async throws(JournalError) -> Entry {
        do {
            let response = try await provider.request(.create(draft))
            return try response.map(Entry.self, atKeyPath: "data", using: JSONDecoder.journal)
        } catch {
            throw JournalError(error)
        }
    }

    func delete(id: Int) async throws(JournalError) {
        do {
            _ = try await provider.request(.delete(id: id))
        } catch {
            throw JournalError(error)
        }
    }

    func upload(
        photo: Data,
        for entry: Entry,
        progress: @escaping @MainActor (Double) -> Void
    ) async throws(JournalError) {
        do {
            for try await part in provider.requestWithProgress(.upload(photo: photo, entryID: entry.id)) {
                await progress(part.progress)
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Writes all entries to a file.
    func export(to file: URL) async throws(JournalError) {
        do {
            _ = try await provider.request(.export(to: file))
        } catch {
            throw JournalError(error)
        }
    }
}
