import Foundation
import Moya

/// A transport that responds with a closure.
struct FakeTransport: HTTPTransport {
    var answer: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await answer(request) }
    func shutdown() async {}

    /// Answers 200 with a body.
    static func body(_ text: String, status: Int = 200) -> FakeTransport {
        FakeTransport { _ in TransportResponse(status: status, body: .complete(Data(text.utf8))) }
    }

    /// Answers in chunks.
    static func chunks(_ chunks: [String], declaresLength: Bool = true, then error: URLError? = nil) -> FakeTransport {
        FakeTransport { _ in
            let left = Recorder<Int>()
            var headers = HTTPFields()
            if declaresLength { headers[.contentLength] = "\(chunks.joined().utf8.count)" }
            return TransportResponse(
                status: 200,
                headers: headers,
                body: .stream(
                    TransportBodyStream {
                        let index = left.values.count
                        left.add(index)
                        if index < chunks.count { return Data(chunks[index].utf8) }
                        if let error { throw error }
                        return nil
                    }
                )
            )
        }
    }
}

extension Session {
    convenience init(_ transport: FakeTransport) { self.init(transport: transport) }
}
