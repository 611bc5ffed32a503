import Foundation
import Moya

// These steps show features of a provider: stubs, targets of any type, callbacks, cancellation, and a cache.
extension DemoStep {
    static let stub = DemoStep(
        "A stub: the response without a server",
        code: #"MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub).request(.userProfile("ashfurrow"))"#,
        expecting: "the target's sample data, from a session that has no network"
    ) { demo in
        let user = try await demo.providers.stubbed.request(.userProfile("ashfurrow")).map(User.self)
        return Finding("\(user)", isAsExpected: user.name == "Sample")
    }

    static let multiTarget = DemoStep(
        "Two target types, one provider",
        code: #"let provider = MoyaProvider<MultiTarget>()  // MultiTarget(GitHub.zen), MultiTarget(Profile(…))"#,
        expecting: "a response to each"
    ) { demo in
        let zen = try await demo.providers.multi.request(MultiTarget(GitHub.zen)).mapString()
        let user = try await demo.providers.multi.request(MultiTarget(Profile(name: "mxcl"))).map(User.self)
        return Finding(
            "\(zen.debugDescription) and \(user)",
            isAsExpected: zen == DemoData.zen && user.login == "mxcl"
        )
    }

    static let callback = DemoStep(
        "With a callback",
        code: #"provider.request(.userProfile("kylef")) { result in … }"#,
        expecting: "the same pipeline, another entry point: a user called kylef"
    ) { demo in
        let result = await withCheckedContinuation { continuation in
            demo.providers.github.request(.userProfile("kylef")) { continuation.resume(returning: $0) }
        }
        let user = try result.get().map(User.self)
        return Finding("\(user)", isAsExpected: user.login == "kylef")
    }

    static let cancellation = DemoStep(
        "Cancelled on the way",
        code: "let task = Task { try await provider.request(.slow) }; task.cancel()",
        expecting: "MoyaError.underlying with URLError.cancelled, at once"
    ) { demo in
        let task = Task { await demo.providers.slow.result(of: .slow) }
        do {
            try await waitUntilUnderWay(demo)
        } catch {
            task.cancel()
            _ = await task.value
            throw error
        }
        task.cancel()
        switch await task.value {
        case .failure(.underlying(let error as URLError, _)) where error.code == .cancelled:
            guard demo.server.isEmbedded else { return Finding("URLError.cancelled", isAsExpected: true) }
            let isGone = await demo.server.slowRequests.wait(for: .left)
            return Finding(
                "URLError.cancelled, and the server \(isGone ? "noticed" : "did not notice") the disconnect",
                isAsExpected: isGone
            )
        case .failure(let error):
            throw error
        case .success(let response):
            return Finding("a response: \(response.description)", isAsExpected: false)
        }
    }

    static let cached = DemoStep(
        "Three times the same, with a cache",
        code: "Session(cache: .memory())",
        expecting: "from the network, from the cache without a request, and from the cache after a 304"
    ) { demo in
        let targets = [
            GitHub.emojis(.useProtocolCachePolicy), .emojis(.useProtocolCachePolicy),
            .emojis(.reloadRevalidatingCacheData),
        ]
        var sources: [ResponseSource] = []
        for target in targets { sources.append(try await demo.providers.cached.request(target).source) }
        return Finding(
            sources.map(\.rawValue).joined(separator: ", "),
            isAsExpected: sources == [.network, .cache, .revalidated]
        )
    }

    /// Waits until the request to `/slow` is running.
    private static func waitUntilUnderWay(_ demo: DemoContext) async throws {
        guard !demo.server.isEmbedded else {
            _ = await demo.server.slowRequests.wait(for: .arrived)
            return
        }
        _ = await demo.server.slowRequests.wait(for: .sent)
        // A live server does not report the request. A second request shows that the server is reachable.
        _ = try await demo.providers.silent.request(.zen)
    }
}

extension MoyaProvider {
    fileprivate func result(of target: Target) async -> Result<Response, MoyaError> {
        do {
            return .success(try await request(target))
        } catch {
            return .failure(error)
        }
    }
}
