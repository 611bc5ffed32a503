import Foundation
import Moya
import Synchronization

extension Workload {
    /// The workloads for requests with immediate stubs, through the async and the callback API.
    public static let stubs: [Workload] = [
        stubAsync("stub-async", "Immediate stub, async", plugins: []),
        stubCallback("stub-callback", "Immediate stub, callback", plugins: []),
        stubAsync("stub-async-5", "Immediate stub, async, five plugins", plugins: fivePlugins),
        stubCallback("stub-callback-5", "Immediate stub, callback, five plugins", plugins: fivePlugins),
    ]

    /// Returns a provider with immediate stubs.
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
            // Without a callback queue an immediate stub completes before `request` returns.
            guard succeeded.value.load(ordering: .relaxed) == count else { throw WorkloadFailure.responsesMissing }
        }
    }
}

/// A counter that closures can share.
private final class Count: Sendable {
    let value = Atomic(0)
}

/// The error of an incomplete workload.
public enum WorkloadFailure: Error {
    /// Some requests received no response.
    case responsesMissing
}

extension BenchTarget {
    /// A request that is stubbed and never sent.
    public static let anyUser = BenchTarget(.user, at: anywhere)

    /// The URL of requests that are not sent.
    public static let anywhere = URL(string: "http://127.0.0.1:8080/api") ?? URL(fileURLWithPath: "/")
}
