import Foundation
import Moya
import Synchronization

extension Workload {
    /// Requests that are answered by a stub at once, through two of the provider's doors.
    public static let stubs: [Workload] = [
        stubAsync("stub-async", "Immediate stub, async", plugins: []),
        stubCallback("stub-callback", "Immediate stub, callback", plugins: []),
        stubAsync("stub-async-5", "Immediate stub, async, five plugins", plugins: fivePlugins),
        stubCallback("stub-callback-5", "Immediate stub, callback, five plugins", plugins: fivePlugins),
    ]

    /// One provider that answers at once.
    public static func stubbedProvider(plugins: [any PluginType] = []) -> MoyaProvider<BenchTarget> {
        MoyaProvider(stubClosure: MoyaProvider.immediatelyStub, plugins: plugins)
    }

    private static var fivePlugins: [any PluginType] { (0..<5).map { _ in CountingPlugin() } }

    private static func stubAsync(_ name: String, _ title: String, plugins: [any PluginType]) -> Workload {
        let provider = stubbedProvider(plugins: plugins)
        return Workload(name, title) { count in
            for _ in 0..<count { use(try await provider.request(.anyUser)) }
        }
    }

    private static func stubCallback(_ name: String, _ title: String, plugins: [any PluginType]) -> Workload {
        let provider = stubbedProvider(plugins: plugins)
        return Workload(name, title) { count in
            let succeeded = Count()
            for _ in 0..<count {
                provider.request(.anyUser) { result in
                    if case .success = result { succeeded.value.wrappingAdd(1, ordering: .relaxed) }
                }
            }
            // Without a queue a stub that answers at once has done so when `request` returns.
            guard succeeded.value.load(ordering: .relaxed) == count else { throw WorkloadFailure.answersMissing }
        }
    }
}

/// A number that closures can share.
private final class Count: Sendable {
    let value = Atomic(0)
}

/// Why a workload was not done.
public enum WorkloadFailure: Error {
    /// Not each request was answered.
    case answersMissing
}

extension BenchTarget {
    /// A request that is never sent.
    public static let anyUser = BenchTarget(.user, at: anywhere)

    static let anywhere = URL(string: "http://127.0.0.1:8080/api") ?? URL(fileURLWithPath: "/")
}
