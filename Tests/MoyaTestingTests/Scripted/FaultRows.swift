import Foundation
import MoyaTesting
import TestServers

/// A fault in a script, the real server or address that causes the same fault, and the result that an application should get.
struct FaultRow: Sendable, CustomStringConvertible {
    /// The destination of a real request.
    enum Place: Sendable {
        /// A server that reacts to each request in this way.
        case server(@Sendable (RawWriter) async throws -> After)
        /// A port on which no server listens.
        case deadPort
        /// A host name that does not exist (RFC 6761, section 6.4).
        case unknownHost
        /// A server without TLS, although the request requires it.
        case withoutTLS
        /// A server with a self-signed certificate.
        case selfSigned
    }

    /// The state of the connection after the last write.
    enum After: Sendable { case closed, reset, kept }

    let description: String
    let answer: ScriptedResponse
    let place: Place
    let code: URLError.Code?
    /// The number of received bytes; `nil` if it depends on the timing.
    var bytes: Int? = 0
    /// Whether there is a response.
    var isAnswered = true
    /// The idle timeout of the request in seconds; `nil` for a long one.
    var idle: Double?
    /// The exchange timeout of the request in seconds; `nil` for a long one.
    var total: Double?

    var isTimed: Bool { idle != nil || total != nil }
}

extension FaultRow {
    private static let small = Pattern().bytes(40)
    private static let large = Pattern().bytes(200_000)
    /// The seconds until a request's timeout.
    private static let brief = 0.5

    static let all = withoutConnection + withoutHead + bodies(small) + bodies(large) + slow

    private static var withoutConnection: [FaultRow] {
        [
            FaultRow("refused", .refused, .deadPort, .cannotConnectToHost),
            FaultRow("unknown host", .dnsFailure, .unknownHost, .cannotFindHost),
            FaultRow("no TLS", .tlsFailure, .withoutTLS, .secureConnectionFailed),
            FaultRow("untrusted certificate", .untrustedCertificate, .selfSigned, .serverCertificateUntrusted),
        ]
    }

    private static var withoutHead: [FaultRow] {
        [
            FaultRow("reset in place of an answer", .reset, .server { _ in .reset }, .networkConnectionLost),
            FaultRow("closed in place of an answer", .reset, .server { _ in .closed }, .networkConnectionLost),
            FaultRow("silence, idle", .stall, .server { _ in .kept }, .timedOut, idle: brief),
            FaultRow("silence, total", .stall, .server { _ in .kept }, .timedOut, total: brief),
            FaultRow(
                "no HTTP",
                .notHTTP,
                .server { writer in
                    try await writer.write("\u{1}\u{2} this is no HTTP at all, and goes on for a while\r\n\r\n")
                    return .closed
                },
                .cannotParseResponse
            ),
        ]
    }

    /// Returns rows for a body that breaks off at its beginning, in its middle and at its end, by each kind of fault.
    private static func bodies(_ body: Data) -> [FaultRow] {
        let length = ScriptedResponse.data(body)
        let chunked = ScriptedResponse.chunks([body.prefix(10), body.dropFirst(10)].map { Data($0) })
        let size = body.count
        var rows = [
            FaultRow("\(size) bytes", length, sending(body, declaring: size, then: .kept), nil, size),
            FaultRow("\(size) bytes in chunks", chunked, sendingChunks(body, isWhole: true, then: .kept), nil, size),
            FaultRow(
                "\(size) bytes, and more declared",
                length.declaring(length: size + 100),
                sending(body, declaring: size + 100, then: .closed),
                .networkConnectionLost,
                size
            ),
            FaultRow(
                "\(size) bytes, and less declared",
                length.declaring(length: size - 7),
                sending(body, declaring: size - 7, then: .closed),
                nil,
                size - 7
            ),
            FaultRow(
                "\(size) bytes, and none declared",
                length.declaring(length: 0),
                sending(body, declaring: 0, then: .closed),
                nil,
                0
            ),
        ]
        for count in [0, 10, size / 2, size] {
            let part = body.prefix(count)
            let isWhole = count == size
            rows += [
                FaultRow(
                    "reset after \(count) of \(size) bytes",
                    length.reset(afterBytes: count),
                    sending(part, declaring: size, then: .reset),
                    isWhole ? nil : .networkConnectionLost,
                    count
                ),
                FaultRow(
                    "reset after \(count) of \(size) bytes in chunks",
                    chunked.reset(afterBytes: count),
                    sendingChunks(part, then: .reset),
                    .networkConnectionLost,
                    count
                ),
                FaultRow(
                    "truncated at \(count) of \(size) bytes",
                    length.truncated(at: count),
                    sending(part, declaring: size, then: .closed),
                    isWhole ? nil : .networkConnectionLost,
                    count
                ),
                FaultRow(
                    "truncated at \(count) of \(size) bytes in chunks",
                    chunked.truncated(at: count),
                    sendingChunks(part, then: .closed),
                    .networkConnectionLost,
                    count
                ),
                FaultRow(
                    "stall after \(count) of \(size) bytes",
                    length.stall(afterBytes: count),
                    sending(part, declaring: size, then: .kept),
                    isWhole ? nil : .timedOut,
                    count,
                    idle: isWhole ? nil : brief
                ),
                FaultRow(
                    "stall after \(count) of \(size) bytes in chunks",
                    chunked.stall(afterBytes: count),
                    sendingChunks(part, then: .kept),
                    .timedOut,
                    count,
                    total: brief
                ),
            ]
        }
        return rows
    }

    private static var slow: [FaultRow] {
        [
            FaultRow("late", .data(small).after(seconds: 0.1), sending(small, declaring: 40, pause: 0.1), nil, 40),
            FaultRow(
                "slow, and in time",
                .data(small).bytesPerSecond(400),
                sending(small, declaring: 40, piece: 4, pause: 0.01),
                nil,
                40,
                idle: brief
            ),
            FaultRow(
                "slow, and never idle, and longer than it may take",
                .data(small).bytesPerSecond(4),
                sending(small, declaring: 40, piece: 1, pause: 0.25),
                .timedOut,
                nil,
                idle: brief,
                total: brief
            ),
            FaultRow(
                "so slow that it is idle",
                .data(small).bytesPerSecond(0.05),
                sending(small, declaring: 40, piece: 1, pause: 20),
                .timedOut,
                0,
                idle: brief
            ),
        ]
    }

    private init(
        _ description: String,
        _ answer: ScriptedResponse,
        _ place: Place,
        _ code: URLError.Code?,
        idle: Double? = nil,
        total: Double? = nil
    ) {
        self.init(
            description: description,
            answer: answer,
            place: place,
            code: code,
            isAnswered: false,
            idle: idle,
            total: total
        )
    }

    private init(
        _ description: String,
        _ answer: ScriptedResponse,
        _ place: Place,
        _ code: URLError.Code?,
        _ bytes: Int?,
        idle: Double? = nil,
        total: Double? = nil
    ) {
        self.init(
            description: description,
            answer: answer,
            place: place,
            code: code,
            bytes: bytes,
            idle: idle,
            total: total
        )
    }
}

// MARK: - Real servers

extension FaultRow {
    /// Returns a server that sends a body with a declared length, in pieces with pauses between them.
    private static func sending(
        _ body: Data,
        declaring length: Int,
        piece: Int = .max,
        pause: Double = 0,
        then end: After = .kept
    ) -> Place {
        .server { writer in
            try await writer.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            var rest = body
            while !rest.isEmpty {
                if pause > 0 { try await Task.sleep(for: .seconds(pause)) }
                let piece = rest.prefix(piece)
                try await writer.write(piece)
                rest = rest.dropFirst(piece.count)
            }
            return end
        }
    }

    /// Returns a server that sends a chunked body; `isWhole` determines whether the last, empty chunk follows.
    private static func sendingChunks(_ body: Data, isWhole: Bool = false, then end: After) -> Place {
        .server { writer in
            try await writer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in [body.prefix(10), body.dropFirst(10)] where !piece.isEmpty {
                try await writer.writeChunk(piece)
            }
            if isWhole { try await writer.write("0\r\n\r\n") }
            return end
        }
    }

    /// Runs a function with the URL of the destination.
    func withPlace<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
        switch place {
        case .deadPort:
            let port = try DeadPort()
            defer { withExtendedLifetime(port) {} }
            return try await body(port.url)
        case .unknownHost:
            return try await body(URL(string: "http://nowhere.invalid/") ?? URL(fileURLWithPath: "/"))
        case .withoutTLS, .selfSigned:
            let isSecure = if case .selfSigned = place { true } else { false }
            let server = try await MisbehavingServer(tls: isSecure ? SelfSigned.serverConfiguration() : nil)
            let value = try await body(server.url(scheme: "https"))
            try await server.shutDown()
            return value
        case .server(let act):
            let server = try await RawServer { connection in
                while try await connection.head() != nil {
                    _ = try await connection.body()
                    switch try await act(connection.writer) {
                    case .closed: return
                    case .reset: return try await connection.writer.reset()
                    case .kept: break
                    }
                }
            }
            let value = try await body(server.url())
            await server.shutDown()
            return value
        }
    }
}
