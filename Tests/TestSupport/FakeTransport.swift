import Foundation
import MoyaHTTP

/// A transport that responds with a closure.
public struct FakeTransport: HTTPTransport {
    private let respond: @Sendable (TransportRequest) async throws -> TransportResponse

    /// Creates a transport.
    public init(_ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
        self.respond = respond
    }

    /// Calls the closure.
    public func send(_ request: TransportRequest) async throws -> TransportResponse { try await respond(request) }

    /// Does nothing.
    public func shutdown() async {}

    /// Reads the request's body, if any, as a transport does, and responds.
    public static func reading(
        _ respond: @escaping @Sendable (TransportRequest, Data) async throws -> TransportResponse
    ) -> FakeTransport {
        FakeTransport { request in
            var body = Data()
            if let reader = try request.body?.open() {
                while let piece = try await reader.next() { body += piece }
            }
            return try await respond(request, body)
        }
    }

    /// Responds with a body, and does not read the request's body.
    public static func body(_ text: String, status: Int = 200) -> FakeTransport {
        FakeTransport { _ in TransportResponse(status: status, body: .complete(Data(text.utf8))) }
    }

    /// Reads the request's body and responds with a text.
    public static func text(_ text: String, type: String = "text/plain") -> FakeTransport {
        FakeTransport.reading { _, _ in
            TransportResponse(status: 200, headers: [.contentType: type], body: .complete(Data(text.utf8)))
        }
    }

    /// Responds with a body in chunks, which ends regularly or with an error.
    public static func chunks(
        _ chunks: [String],
        declaresLength: Bool = true,
        then error: URLError? = nil
    ) -> FakeTransport {
        var headers = HTTPFields()
        if declaresLength { headers[.contentLength] = "\(chunks.joined().utf8.count)" }
        return stream(chunks.map { Data($0.utf8) }, headers: headers, then: error)
    }

    /// Responds with a body in pieces of unknown length, which ends regularly or with an error.
    public static func pieces(_ pieces: [Data], then error: URLError? = nil) -> FakeTransport {
        stream(pieces, headers: [.contentType: "application/octet-stream"], then: error)
    }

    private static func stream(_ pieces: [Data], headers: HTTPFields, then error: URLError?) -> FakeTransport {
        FakeTransport { _ in
            let rest = Locked(pieces[...])
            let body = TransportBodyStream {
                if let piece = rest.withLock({ $0.popFirst() }) { return piece }
                if let error { throw error }
                return nil
            }
            return TransportResponse(status: 200, headers: headers, body: .stream(body))
        }
    }
}

extension Session {
    /// Creates a session that sends over a fake transport.
    public convenience init(_ transport: FakeTransport) { self.init(transport: transport) }
}
