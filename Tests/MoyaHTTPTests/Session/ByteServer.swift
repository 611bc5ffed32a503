#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import TestServers
import TestSupport

@testable import MoyaHTTP
@testable import MoyaNIOTransport

/// A server whose request and response fields are bytes, written as ISO 8859-1: each character is one byte.
enum ByteServer {
    enum Kind: CaseIterable, Sendable { case plain, secure, http2 }

    struct Request: Sendable {
        let path: String
        let fields: [(name: String, value: String)]

        /// The values of a field, whose name is in lower case.
        subscript(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    }

    struct Response: Sendable {
        var status = 200
        var fields: [(String, String)] = []
        var body = Data("ok".utf8)
        /// The number of declared bytes that are not sent before the connection is closed.
        var missing = 0
    }

    /// Starts a server, whose handler gets the number of the request, from 0, and stops it after the body.
    static func run(
        _ kind: Kind = .plain,
        _ respond: @escaping @Sendable (Request, Int) throws -> Response,
        _ body: (any HTTPTransport, URL, Recorder<Request>) async throws -> Void
    ) async throws {
        let requests = Recorder<Request>()
        let next: @Sendable (Request) throws -> Response = { request in
            requests.add(request)
            return try respond(request, requests.values.count - 1)
        }
        let authority = try TestAuthority()
        var tls = try authority.issue().serverConfiguration()
        let transport = try NIOTransport(connection: TransportConfiguration(trusting: authority))
        switch kind {
        case .http2:
            let server = try await HTTP2Server(tls: tls) { try await serve($0, next) }
            try await transport.shutDown(after: { try await body(transport, server.url("/"), requests) })
            await server.shutDown()
        case .plain, .secure:
            tls.applicationProtocols = ["http/1.1"]
            let server = try await RawServer(tls: kind == .secure ? tls : nil) { try await serve($0, next) }
            let url = URL(
                string: kind == .secure ? "https://localhost:\(server.port)/" : server.url().absoluteString
            )
            try await transport.shutDown(after: { try await body(transport, url ?? server.url(), requests) })
            await server.shutDown()
        }
    }

    static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func serve(
        _ connection: RawConnection,
        _ respond: (Request) throws -> Response
    ) async throws {
        var text = ""
        while let more = try await connection.read() {
            text += latin1(more.readableBytesView)
            while let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                text = String(text[end.upperBound...])
                let fields = lines.dropFirst().map { line in
                    let parts = line.split(separator: ":", maxSplits: 1)
                    return (parts[0].lowercased(), parts.last?.trimmingCharacters(in: .whitespaces) ?? "")
                }
                let path = lines.first?.components(separatedBy: " ")[1] ?? ""
                let response = try respond(Request(path: path, fields: fields))
                var head = "HTTP/1.1 \(response.status) X\r\n"
                let hasBody = response.status != 304
                if hasBody { head += "Content-Length: \(response.body.count + response.missing)\r\n" }
                for (name, value) in response.fields { head += "\(name): \(value)\r\n" }
                let body = hasBody ? response.body : Data()
                try await connection.writer.write(Data(bytes(head + "\r\n")) + body)
                if response.missing > 0 { return }
            }
        }
    }

    private static func serve(_ peer: HTTP2Peer, _ respond: (Request) throws -> Response) async throws {
        var decoder = HPACKFieldDecoder(sectionLimit: 1 << 20)
        while let frame = try await peer.frame() {
            guard frame.type == RawFrame.Kind.headers else { continue }
            var (path, fields): (String, [(String, String)]) = ("", [])
            for line in try decoder.decode(ByteBuffer(bytes: frame.payload)) {
                switch line.line {
                case .pseudo(":path", let value): path = value
                case .field(let field): fields.append((field.name.canonicalName, latin1(field.bytes)))
                default: break
                }
            }
            let response = try respond(Request(path: path, fields: fields))
            var block: [UInt8] = []
            for (name, value) in [(":status", "\(response.status)")] + response.fields {
                // The field is a literal that is added to the table (RFC 7541, section 6.2.1).
                block += [0x40, UInt8(name.utf8.count)] + name.lowercased().utf8
                block += [UInt8(value.unicodeScalars.count)] + bytes(value)
            }
            let isEmpty = response.status == 304 || response.body.isEmpty
            let flags = RawFrame.endHeaders | (isEmpty ? RawFrame.end : 0)
            try await peer.send(RawFrame(RawFrame.Kind.headers, flags, frame.stream, block))
            if !isEmpty {
                let body = RawFrame(RawFrame.Kind.data, RawFrame.end, frame.stream, Array(response.body))
                try await peer.send(body)
            }
        }
    }
}
#endif
