import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHAR
@testable import MoyaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The bytes of fields in a recording are preserved", .timeLimit(.minutes(5)))
struct HARBytesTests {
    private let url = URL(string: "http://h/a") ?? URL(fileURLWithPath: "/")

    /// Fields in invalid UTF-8, in UTF-8 and in ASCII.
    private static var fields: HTTPFields {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .eTag, value: [0x22, 0xE9, 0x22]))
        fields.append(HTTPField(name: .server, value: "é"))
        fields.append(HTTPField(name: .vary, value: "Accept"))
        fields.append(HTTPField(name: .location, value: Array("/caf".utf8) + [0xE9]))
        return fields
    }

    @Test("the bytes of fields are recorded, written, read and replayed unchanged")
    func replay() async throws {
        let recorder = HARRecorder(
            over: FakeTransport { _ in
                TransportResponse(status: 302, headers: Self.fields, body: .complete(Data("ok".utf8)))
            }
        )
        var request = TransportRequest(method: .get, url: url)
        request.headers.append(HTTPField(name: .ifNoneMatch, value: [0x22, 0xE9, 0x22]))
        _ = try await recorder.send(request)
        let har = try HAR(data: try recorder.har.data())
        let entry = try #require(har.entries.first)
        #expect(entry.response.headers.map(\.value) == ["\"é\"", "é", "Accept", "/café"])
        #expect(entry.response.headers.map(\.encoding) == ["ISO-8859-1", nil, nil, "ISO-8859-1"])
        #expect(entry.response.redirectURL == "/caf%E9")
        #expect(HTTPFields(entry.request.headers) == request.headers)
        let replayed = try await HARReplayer(har).send(request)
        for name in [HTTPField.Name.eTag, .server, .vary, .location] {
            let bytes = { (fields: HTTPFields) in fields[fields: name].map { $0.withUnsafeBytesOfValue { Array($0) } } }
            #expect(bytes(replayed.headers) == bytes(Self.fields), "\(name)")
        }
    }

    @Test("a stub follows a redirect whose Location contains bytes that are not UTF-8")
    func stub() throws {
        var har = HAR.texts(["http://h/a": "", "http://h/caf%E9": "there"])
        let from = try #require(har.entries.firstIndex { $0.request.url == "http://h/a" })
        har.entries[from].response.status = 302
        har.entries[from].response.headers = [
            HAR.Field(HTTPField(name: .location, value: [0x2F, 0x63, 0x61, 0x66, 0xE9]))
        ]
        let endpoint = Endpoint(
            url: "http://h/a",
            sampleResponseClosure: { .networkResponse(500, Data()) },
            method: .get,
            task: .requestPlain,
            httpHeaderFields: nil
        )
        guard case .response(_, let data) = HARStubs(har).sampleResponse(for: endpoint) else {
            throw URLError(.badServerResponse)
        }
        #expect(String(decoding: data, as: UTF8.self) == "there")
    }

    @Test("a field's value is read as UTF-8 if its `_encoding` is not ISO-8859-1")
    func otherEncodings() throws {
        let text = #"{"name": "A", "value": "é", "_encoding": ENCODING}"#
        for (encoding, bytes) in [("1", [0xC3, 0xA9]), (#""gzip""#, [0xC3, 0xA9]), (#""iso-8859-1""#, [0xE9])] {
            let json = Data(text.replacing("ENCODING", with: encoding).utf8)
            let field = try JSONDecoder().decode(HAR.Field.self, from: json)
            let read = HTTPFields([field]).first.map { $0.withUnsafeBytesOfValue { Array($0) } }
            #expect(read == bytes.map { UInt8($0) })
        }
        let plain = try JSONEncoder().encode(HAR.Field(name: "A", value: "é"))
        #expect(!String(decoding: plain, as: UTF8.self).contains("_encoding"))
    }
}
