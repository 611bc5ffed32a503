import Foundation
import Moya

/// The application, with its providers and plugins; `run` plays one session of a user.
final class Application {
    let counter = RequestCounter()
    let tokens = TokenStore()
    private let print: (String) -> Void
    private var active = 0

    init(print: @escaping (String) -> Void) {
        self.print = print
    }

    /// Creates a provider with stubs, so that the example runs anywhere; omit `stubClosure` for the network.
    func makeProvider() -> MoyaProvider<GitHub> {
        let logger = NetworkLoggerPlugin(
            configuration: .init(
                formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
                output: { [print] _, items in items.forEach { print("    " + $0) } },
                logOptions: .requestMethod
            )
        )
        let activity = NetworkActivityPlugin { [weak self] change, _ in
            switch change {
            case .began: self?.active += 1
            case .ended: self?.active -= 1
            }
        }
        return SignedInProvider(
            tokens: tokens,
            login: MoyaProvider<Login>(stubClosure: MoyaProvider.immediatelyStub),
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [counter, activity, logger]
        )
    }

    func run() {
        let provider = makeProvider()
        let browser = Browser(provider: provider)
        let print = self.print
        provider.request(.zen) { result in
            if case .success(let response) = result { print((try? response.mapString()) ?? "no wisdom today") }
        }
        browser.loadProfile(of: "ashfurrow") { result in
            switch result {
            case .success(let profile): print("\(profile.name ?? profile.login) has the number \(profile.id)")
            case .failure(let error): print(error.localizedDescription)
            }
        }
        browser.loadRepositories(of: "ashfurrow") { error in
            if let error = error { return print(error.localizedDescription) }
            browser.repositories.forEach { print("\($0.name): \($0.stars) stars") }
        }
        browser.report(NewIssue(title: "It works", body: "On Linux, too."), in: "Moya/Moya") { number in
            print("issue \(number.map(String.init) ?? "not created")")
        }
        browser.uploadAvatar(Data([0x89, 0x50, 0x4E, 0x47]), progress: { print("uploaded \(Int($0 * 100)) %") }) {
            print($0)
        }
        provider.request(.star(repository: "Moya/Moya")) { result in
            print((try? result.get().filter(statusCode: 200)) == nil ? "not starred" : "starred")
        }
        print("\(counter.summary), \(active) under way")
    }
}
