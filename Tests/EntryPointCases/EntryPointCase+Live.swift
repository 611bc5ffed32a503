import Foundation
import Moya
import MoyaHTTP
import TestServers

extension EntryPointCase {
    func runLive(through entryPoint: EntryPoint) async throws -> Outcome {
        let server = try await StubServer([
            "/ok": .init(body: Data("ok".utf8)),
            "/message": .init(body: Data(#"{"message":"hello"}"#.utf8)),
            "/missing": .init(status: "404 Not Found", body: Data("none".utf8)),
            "/refused": .init(status: "422 Unprocessable Content", body: Data(#"{"reason":"full"}"#.utf8)),
        ])
        let deadPort = try DeadPort()
        let (target, resultKind, expected): (EntryPointTarget, EntryPoint.ResultKind, [String]) =
            switch self {
            case .decoded: (EntryPointTarget(server.url("/message")), .message, ["message hello", "end"])
            case .output: (EntryPointTarget(server.url("/message")), .output, ["message hello", "end"])
            case .outputMappingFailure: (EntryPointTarget(server.url("/ok")), .output, ["failure: objectMapping"])
            case .outputRefused:
                (
                    EntryPointTarget(server.url("/refused"), validationType: .successCodes), .output,
                    ["failure: underlying refusal: full with 422"]
                )
            case .mappingFailure: (EntryPointTarget(server.url("/ok")), .message, ["failure: objectMapping"])
            case .badStatus: (EntryPointTarget(server.url("/missing")), .response, ["404, 4 bytes", "end"])
            case .badStatusWithValidation:
                (
                    EntryPointTarget(server.url("/missing"), validationType: .successCodes), .response,
                    ["failure: underlying statusCode 404 with 404"]
                )
            case .transportFailure:
                (EntryPointTarget(deadPort.url), .response, ["failure: underlying cannotConnectToHost"])
            default: (EntryPointTarget(server.url("/ok")), .response, ["200, 2 bytes", "end"])
            }
        let listener = Listener()
        let call = EntryPoint.Call(provider: MoyaProvider(), target: target, queue: .global(), resultKind: resultKind)
        let cancel = entryPoint.open(call) { listener.receive($0) }
        _ = await listener.wait()
        _ = cancel
        await server.shutDown()
        return Outcome(happened: listener.texts, expected: expected)
    }

    /// Checks that the progress values increase, and that the response follows.
    func runProgress(through entryPoint: EntryPoint) async throws -> Outcome {
        let body = Data(repeating: 1, count: 400_000)
        let server = try await StubServer([
            "/body": .init(body: body),
            "/half": .init(body: body.prefix(200_000), framing: .declaredThenClosed(400_000)),
        ])
        let listener = Listener()
        let call = EntryPoint.Call(
            provider: MoyaProvider(
                stubClosure: self == .progressOfStub ? MoyaProvider.immediatelyStub : MoyaProvider.neverStub
            ),
            target: EntryPointTarget(server.url(self == .progressOfFailure ? "/half" : "/body")),
            queue: .global(),
            resultKind: .progress
        )
        let cancel = entryPoint.open(call) { listener.receive($0) }
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
