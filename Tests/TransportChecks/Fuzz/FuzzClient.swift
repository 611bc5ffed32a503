#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP

/// Sends a case's requests and checks how they end.
struct FuzzClient: Sendable {
    let transport: any HTTPTransport
    let url: URL
    let mode: FuzzMode

    /// The end of a request as text, and the violated rule, if any.
    struct Outcome: Sendable {
        var label: String
        var failure: String?
        /// Whether the client spoke HTTP/1.1, as the server required in an earlier case (RFC 9113, section 7).
        var usesHTTP1 = false
    }

    func run(_ plan: FuzzPlan) async -> [Outcome] {
        guard plan.areConcurrent, plan.requests.count > 1 else {
            var outcomes: [Outcome] = []
            for request in plan.requests { outcomes.append(await send(request, expecting: plan.expected)) }
            return outcomes
        }
        return await withTaskGroup(of: Outcome.self) { group in
            for request in plan.requests { group.addTask { await send(request, expecting: plan.expected) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func send(_ request: FuzzRequest, expecting expected: FuzzExpectation?) async -> Outcome {
        let message = TransportRequest(
            method: HTTPMethod(rawValue: request.method),
            url: url,
            body: request.body.httpBody,
            // A request that must succeed has enough time for a busy machine.
            idleTimeout: expected == nil ? .seconds(1) : .seconds(60),
            exchangeTimeout: expected == nil ? .seconds(2) : .seconds(60),
            responseBufferLimit: request.isStreamed ? 0 : TransportRequest.defaultResponseBufferLimit
        )
        do {
            let response = try await transport.send(message).decoded(for: message)
            guard (100...999).contains(response.status) else {
                return Outcome(label: "response", failure: "status \(response.status)")
            }
            var body = Data()
            for try await piece in TransportBodyStream(response.body) {
                body.append(piece)
                if request.leavesEarly { return Outcome(label: "left") }
            }
            if let expected, FuzzExpectation(status: response.status, body: body) != expected {
                let text = "status \(response.status), \(body.count) bytes"
                return Outcome(
                    label: "response",
                    failure: "\(text) for \(expected.status), \(expected.body.count) bytes"
                )
            }
            return Outcome(label: "response")
        } catch {
            let label = (error as? URLError).map { "URLError \($0.code.rawValue)" } ?? "\(type(of: error))"
            if mode == .http2, error.summary.contains("The response is not HTTP.") {
                return Outcome(label: "HTTP/1.1", failure: nil, usesHTTP1: true)
            }
            if let expected { return Outcome(label: label, failure: "\(error.summary) for \(expected.status)") }
            return Outcome(label: label, failure: error is URLError ? nil : error.summary)
        }
    }
}

extension FuzzRequest.Body {
    var httpBody: HTTPBody? {
        switch self {
        case .none: nil
        case .data(let count): .data(Data(repeating: UInt8(ascii: "b"), count: count))
        case .pieces(let size, let count): .sequence(Pieces(size: size, count: count))
        }
    }
}

/// A body in pieces.
private struct Pieces: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let size: Int
        var rest: Int

        mutating func next() async -> Data? {
            guard rest > 0 else { return nil }
            rest -= 1
            return Data(repeating: UInt8(ascii: "b"), count: size)
        }
    }

    let size: Int
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(size: size, rest: count) }
}
#endif
