import Foundation
import Moya
import MoyaHTTP
import TestServers

extension EntryPointCase {
    func runStub(through entryPoint: EntryPoint) async -> Outcome {
        typealias Provider = MoyaProvider<EntryPointTarget>
        let isFailing = self == .failingStub
        let provider = Provider(
            endpointClosure: { target in
                let endpoint = Provider.defaultEndpointMapping(for: target)
                guard isFailing else { return endpoint }
                return Endpoint(
                    url: endpoint.url,
                    sampleResponseClosure: { .networkError(URLError(.cannotConnectToHost) as NSError) },
                    method: endpoint.method,
                    task: endpoint.task,
                    httpHeaderFields: nil
                )
            },
            stubClosure: self == .delayedStub ? Provider.delayedStub(0.01) : Provider.immediatelyStub
        )
        let listener = Listener()
        let call = EntryPoint.Call(
            provider: provider,
            target: EntryPointTarget(),
            queue: .global(),
            resultKind: self == .outputOfStub ? .output : .message
        )
        let cancel = entryPoint.open(call) { listener.receive($0) }
        _ = await listener.wait()
        _ = cancel
        return Outcome(
            happened: listener.texts,
            expected: isFailing ? ["failure: underlying cannotConnectToHost"] : ["message sample", "end"]
        )
    }

    /// Checks that every event is received on the requested queue, or on the main queue by default.
    func runQueue(through entryPoint: EntryPoint) async throws -> Outcome {
        let server = try await StubServer([
            "/ok": .init(body: Data("ok".utf8)), "/message": .init(body: Data(#"{"message":"hello"}"#.utf8)),
        ])
        let queue = DispatchQueue(named: "wanted")
        let wanted = self == .queueNotGiven ? "main" : "wanted"
        let listener = Listener { !entryPoint.hasQueues || DispatchQueue.currentName == wanted }
        let call = EntryPoint.Call(
            provider: MoyaProvider(callbackQueue: self == .queueOfProvider ? queue : nil),
            target: EntryPointTarget(server.url(self == .outputOnQueue ? "/message" : "/ok")),
            queue: self == .queueGiven || self == .outputOnQueue ? queue : nil,
            resultKind: self == .outputOnQueue ? .output : .progress
        )
        let cancel = entryPoint.open(call) { listener.receive($0) }
        let events = await listener.wait()
        _ = cancel
        await server.shutDown()
        let ends = events.suffix(2).map(\.text) + [listener.wasInPlace ? "in place" : "elsewhere"]
        return Outcome(
            happened: ends,
            expected: [self == .outputOnQueue ? "message hello" : "200, 2 bytes", "end", "in place"]
        )
    }
}
