import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport

extension EntryPointCase {
    /// Cancels a request before the request closure has called back; nothing may be sent.
    func runCancelBefore(through entryPoint: EntryPoint) async -> Outcome {
        let deliver = Recorder<@Sendable () -> Void>()
        let mapped = Promise<Void>()
        let sent = Recorder<TransportRequest>()
        let provider = MoyaProvider<EntryPointTarget>(
            requestClosure: { endpoint, done in
                deliver.add { MoyaProvider<EntryPointTarget>.defaultRequestMapping(for: endpoint, closure: done) }
                mapped.fulfill(())
            },
            session: Session(
                transport: FakeTransport { request in
                    sent.add(request)
                    throw URLError(.notConnectedToInternet)
                }
            )
        )
        let listener = Listener()
        let cancel = entryPoint.open(EntryPoint.Call(provider: provider, target: EntryPointTarget())) {
            listener.receive($0)
        }
        await mapped.wait()
        cancel()
        deliver.values.forEach { $0() }
        if entryPoint.reportsCancellation { _ = await listener.wait() }
        return Outcome(
            happened: listener.texts + sent.values.map { "sent \($0)" },
            expected: entryPoint.reportsCancellation ? ["failure: underlying cancelled"] : []
        )
    }

    /// Cancels a request while the server stalls; the server must detect that the connection is closed.
    func runCancelDuring(through entryPoint: EntryPoint) async throws -> Outcome {
        let server = try await MisbehavingServer()
        let stalling = self == .cancelInBody ? Misbehavior.stallsInBody : .neverResponds
        let path = "/\(stalling.rawValue)"
        let listener = Listener()
        let call = EntryPoint.Call(
            provider: MoyaProvider(),
            target: EntryPointTarget(server.url(stalling)),
            queue: .global(),
            resultKind: self == .outputCancelled ? .output : .response
        )
        let cancel = entryPoint.open(call) { listener.receive($0) }
        var seen = [await server.wait(for: .request(path: path)) ? "requested" : "not requested"]
        cancel()
        seen.append(await server.wait(for: .closed(path: path)) ? "closed" : "not closed")
        if entryPoint.reportsCancellation { _ = await listener.wait() }
        try await server.shutDown()
        let told =
            switch (entryPoint.reportsCancellation, self) {
            case (false, _): [String]()
            case (true, .cancelInBody): ["failure: underlying cancelled with 200"]
            case (true, _): ["failure: underlying cancelled"]
            }
        // Whether the error has the response depends on the transport, so both texts count as equal.
        let received = listener.texts.map {
            $0 == "failure: underlying cancelled" && self == .cancelInBody ? $0 + " with 200" : $0
        }
        return Outcome(happened: seen + received, expected: ["requested", "closed"] + told)
    }

    /// Cancels a request that has ended; nothing may happen.
    func runCancelAfter(through entryPoint: EntryPoint) async throws -> Outcome {
        let server = try await StubServer(["/ok": .init(body: Data("ok".utf8))])
        let listener = Listener()
        let call = EntryPoint.Call(
            provider: MoyaProvider(),
            target: EntryPointTarget(server.url("/ok")),
            queue: .global()
        )
        let cancel = entryPoint.open(call) { listener.receive($0) }
        _ = await listener.wait()
        cancel()
        cancel()
        await server.shutDown()
        return Outcome(happened: listener.texts, expected: ["200, 2 bytes", "end"])
    }
}
