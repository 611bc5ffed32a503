import Foundation
import Moya

/// A transport that responds with a closure.
struct FakeTransport: HTTPTransport {
    var answer: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await answer(request) }

    func shutdown() async {}

    /// Reads the body, as a transport does, and responds with text.
    static func text(_ text: String, type: String = "text/plain") -> FakeTransport {
        FakeTransport { request in
            if let reader = try request.body?.open() { while try await reader.next() != nil {} }
            return TransportResponse(
                status: 200,
                headers: [.contentType: type],
                body: .complete(Data(text.utf8))
            )
        }
    }

    /// Answers with a body that comes in these pieces, and may break off.
    static func pieces(_ pieces: [Data], then error: URLError? = nil) -> FakeTransport {
        FakeTransport { _ in
            let rest = Locked(pieces[...])
            return TransportResponse(
                status: 200,
                headers: [.contentType: "application/octet-stream"],
                body: .stream(
                    TransportBodyStream {
                        if let piece = rest.withLock({ $0.popFirst() }) { return piece }
                        if let error { throw error }
                        return nil
                    }
                )
            )
        }
    }
}
