import Foundation
import Moya
import MoyaHTTP
import TestServers

extension DoorCase {
    /// The request closure has not delivered yet: nothing is sent at all.
    func runCancelBefore(through door: Door) async -> Outcome {
        let deliver = Recorder<@Sendable () -> Void>()
        let mapped = OneShot<Void>()
        let sent = Recorder<TransportRequest>()
        let provider = MoyaProvider<DoorTarget>(
            requestClosure: { endpoint, done in
                deliver.add { MoyaProvider<DoorTarget>.defaultRequestMapping(for: endpoint, closure: done) }
                mapped.fulfil(())
            },
            session: Session(
                transport: FakeNetwork { request in
                    sent.add(request)
                    throw URLError(.notConnectedToInternet)
                }
            )
        )
        let listener = Listener()
        let cancel = door.open(Door.Call(provider: provider, target: DoorTarget())) { listener.hear($0) }
        await mapped.wait()
        cancel()
        deliver.values.forEach { $0() }
        if door.tellsCancellation { _ = await listener.wait() }
        return Outcome(
            happened: listener.texts + sent.values.map { "sent \($0)" },
            expected: door.tellsCancellation ? ["failure: underlying cancelled"] : []
        )
    }

    /// The server stalls: it sees the connection close.
    func runCancelDuring(through door: Door) async throws -> Outcome {
        let server = try await MisbehavingServer()
        let stalling = self == .cancelInBody ? Misbehaviour.stallsInBody : .neverAnswers
        let path = "/\(stalling.rawValue)"
        let listener = Listener()
        let call = Door.Call(
            provider: MoyaProvider(),
            target: DoorTarget(server.url(stalling)),
            queue: .global(),
            wish: self == .answerCancelled ? .answer : .response
        )
        let cancel = door.open(call) { listener.hear($0) }
        var seen = [await server.sees(.request(path: path)) ? "requested" : "not requested"]
        cancel()
        seen.append(await server.sees(.closed(path: path)) ? "closed" : "not closed")
        if door.tellsCancellation { _ = await listener.wait() }
        try await server.shutDown()
        let told =
            switch (door.tellsCancellation, self) {
            case (false, _): [String]()
            case (true, .cancelInBody): ["failure: underlying cancelled with 200"]
            case (true, _): ["failure: underlying cancelled"]
            }
        // Whether there is a response already is for the transport to say.
        let heard = listener.texts.map {
            $0 == "failure: underlying cancelled" && self == .cancelInBody ? $0 + " with 200" : $0
        }
        return Outcome(happened: seen + heard, expected: ["requested", "closed"] + told)
    }

    /// Nothing is left to cancel.
    func runCancelAfter(through door: Door) async throws -> Outcome {
        let server = try await AnswerServer(["/ok": .init(body: Data("ok".utf8))])
        let listener = Listener()
        let call = Door.Call(provider: MoyaProvider(), target: DoorTarget(server.url("/ok")), queue: .global())
        let cancel = door.open(call) { listener.hear($0) }
        _ = await listener.wait()
        cancel()
        cancel()
        await server.shutDown()
        return Outcome(happened: listener.texts, expected: ["200, 2 bytes", "end"])
    }
}
