import Foundation
import Moya

/// The state that a view would show.
final class Browser {
    private let provider: MoyaProvider<GitHub>
    private(set) var repositories: [Repository] = []

    init(provider: MoyaProvider<GitHub>) {
        self.provider = provider
    }

    func loadProfile(of login: String, completion: @escaping (Result<Profile, Error>) -> Void) {
        provider.request(.profile(login: login)) { result in
            switch result {
            case .success(let response):
                completion(Result { try response.map(Profile.self) })
            case .failure(let error):
                completion(.failure(error))
            }
        }
    }

    /// Loads all pages, until one is empty.
    func loadRepositories(of login: String, page: Int = 1, completion: @escaping (MoyaError?) -> Void) {
        provider.request(.repositories(login: login, page: page)) { [weak self] result in
            guard let self = self else { return }
            do {
                let page = (number: page, content: try result.get().map([Repository].self))
                guard !page.content.isEmpty else { return completion(nil) }
                self.repositories += page.content
                self.loadRepositories(of: login, page: page.number + 1, completion: completion)
            } catch {
                completion(error as? MoyaError)
            }
        }
    }

    @discardableResult
    func report(_ issue: NewIssue, in repository: String, completion: @escaping (Int?) -> Void) -> Cancellable {
        return provider.request(.createIssue(repository: repository, issue: issue)) { result in
            let json = try? result.get().mapJSON() as? [String: Any]
            completion(json?["number"] as? Int)
        }
    }

    func uploadAvatar(_ image: Data, progress: @escaping (Double) -> Void, completion: @escaping (String) -> Void) {
        provider.request(.uploadAvatar(image), progress: { progress($0.progress) }) { result in
            switch result {
            case .success(let response): completion("avatar: \(response.statusCode)")
            case .failure(.statusCode(let response)): completion("avatar refused: \(response.statusCode)")
            case .failure(let error): completion("avatar: \(error.localizedDescription)")
            }
        }
    }
}
