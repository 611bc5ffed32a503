import Foundation
import Moya

/// Sends the requests of the journal.
final class JournalService {
    private let provider: MoyaProvider<JournalAPI>
    private let store: TokenStore

    convenience init() {
        self.init(provider: NetworkManager.shared.provider)
    }

    init(provider: MoyaProvider<JournalAPI>, store: TokenStore = .shared) {
        self.provider = provider
        self.store = store
    }

    func login(name: String, password: String, completion: @escaping (Result<Void, JournalError>) -> Void) {
        provider.request(.login(name: name, password: password)) { [store] result in
            do {
                let response = try result.get().filterSuccessfulStatusCodes()
                store.tokens = try response.map(Tokens.self, using: JSONDecoder.journal)
                completion(.success(()))
            } catch {
                completion(.failure(JournalError(error)))
            }
        }
    }

    @discardableResult
    func entries(
        page: Int,
        tag: String? = nil,
        completion: @escaping (Result<[Entry], JournalError>) -> Void
    ) -> Cancellable {
        return provider.request(.entries(page: page, tag: tag)) { result in
            switch result {
            case .success(let response):
                do {
                    let entries = try response.filterSuccessfulStatusCodes()
                        .map([Entry].self, atKeyPath: "data.entries", using: JSONDecoder.journal)
                    completion(.success(entries))
                } catch {
                    completion(.failure(JournalError(error)))
                }
            case .failure(let error):
                completion(.failure(JournalError(error)))
            }
        }
    }

    func create(_ draft: EntryDraft, completion: @escaping (Result<Entry, JournalError>) -> Void) {
        provider.request(.create(draft)) { result in
            do {
                let response = try result.get().filterSuccessfulStatusCodes()
                completion(.success(try response.map(Entry.self, atKeyPath: "data", using: JSONDecoder.journal)))
            } catch {
                completion(.failure(JournalError(error)))
            }
        }
    }

    func delete(id: Int, completion: @escaping (JournalError?) -> Void) {
        provider.request(.delete(id: id)) { result in
            do {
                _ = try result.get().filterSuccessfulStatusCodes()
                completion(nil)
            } catch {
                completion(JournalError(error))
            }
        }
    }

    func upload(
        photo: Data,
        for entry: Entry,
        progress: @escaping (Double) -> Void,
        completion: @escaping (JournalError?) -> Void
    ) {
        provider.request(
            .upload(photo: photo, entryID: entry.id),
            callbackQueue: .main,
            progress: { progress($0.progress) },
            completion: { result in
                do {
                    _ = try result.get().filterSuccessfulStatusCodes()
                    completion(nil)
                } catch {
                    completion(JournalError(error))
                }
            }
        )
    }

    /// Writes all entries to a file.
    func export(to file: URL, completion: @escaping (JournalError?) -> Void) {
        provider.request(.export(to: file)) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let error): completion(JournalError(error))
            }
        }
    }
}
