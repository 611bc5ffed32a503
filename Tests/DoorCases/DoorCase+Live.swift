import Foundation
import Moya
import MoyaHTTP
import TestServers

extension DoorCase {
    func runLive(through door: Door) async throws -> Outcome {
        let server = try await AnswerServer([
            "/ok": .init(body: Data("ok".utf8)),
            "/message": .init(body: Data(#"{"message":"hello"}"#.utf8)),
            "/missing": .init(status: "404 Not Found", body: Data("none".utf8)),
            "/refused": .init(status: "422 Unprocessable Content", body: Data(#"{"reason":"full"}"#.utf8)),
        ])
        let deadPort = try DeadPort()
        let (target, wish, expected): (DoorTarget, Door.Wish, [String]) =
            switch self {
            case .decoded: (DoorTarget(server.url("/message")), .message, ["message hello", "end"])
            case .answer: (DoorTarget(server.url("/message")), .answer, ["message hello", "end"])
            case .answerMappingFailure: (DoorTarget(server.url("/ok")), .answer, ["failure: objectMapping"])
            case .answerRefused:
                (
                    DoorTarget(server.url("/refused"), validationType: .successCodes), .answer,
                    ["failure: underlying refusal: full with 422"]
                )
            case .mappingFailure: (DoorTarget(server.url("/ok")), .message, ["failure: objectMapping"])
            case .badStatus: (DoorTarget(server.url("/missing")), .response, ["404, 4 bytes", "end"])
            case .badStatusWithValidation:
                (
                    DoorTarget(server.url("/missing"), validationType: .successCodes), .response,
                    ["failure: underlying statusCode 404 with 404"]
                )
            case .transportFailure:
                (DoorTarget(deadPort.url), .response, ["failure: underlying cannotConnectToHost"])
            default: (DoorTarget(server.url("/ok")), .response, ["200, 2 bytes", "end"])
            }
        let listener = Listener()
        let call = Door.Call(provider: MoyaProvider(), target: target, queue: .global(), wish: wish)
        let cancel = door.open(call) { listener.hear($0) }
        _ = await listener.wait()
        _ = cancel
        await server.shutDown()
        return Outcome(happened: listener.texts, expected: expected)
    }

    /// One value after the other, never back, and then the response.
    func runProgress(through door: Door) async throws -> Outcome {
        let body = Data(repeating: 1, count: 400_000)
        let server = try await AnswerServer([
            "/body": .init(body: body),
            "/half": .init(body: body.prefix(200_000), framing: .declaredThenClosed(400_000)),
        ])
        let listener = Listener()
        let call = Door.Call(
            provider: MoyaProvider(
                stubClosure: self == .progressOfStub ? MoyaProvider.immediatelyStub : MoyaProvider.neverStub
            ),
            target: DoorTarget(server.url(self == .progressOfFailure ? "/half" : "/body")),
            queue: .global(),
            wish: .progress
        )
        let cancel = door.open(call) { listener.hear($0) }
        let events = await listener.wait()
        _ = cancel
        await server.shutDown()
        let fractions = events.compactMap { if case .progress(let fraction) = $0 { fraction } else { nil } }
        var happened = events.filter { if case .progress = $0 { false } else { true } }.map(\.text)
        if fractions != fractions.sorted() { happened.append("progress goes back: \(fractions)") }
        if let last = fractions.last, last > 1 { happened.append("too much progress: \(fractions)") }
        let expected: [String] =
            switch self {
            case .progressOfStub: ["200, 20 bytes", "end"]
            case .progressOfFailure: ["failure: underlying networkConnectionLost with 200"]
            default: ["200, 400000 bytes", "end"]
            }
        if self == .progressOfStub, !fractions.isEmpty { happened.append("progress of a stub") }
        return Outcome(happened: happened, expected: expected)
    }
}
