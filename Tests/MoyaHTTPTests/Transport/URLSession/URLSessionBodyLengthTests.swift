import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

@Suite("Bodies shorter than their Content-Length are detected")
struct URLSessionBodyLengthTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let head: ResponseHead
        let method: MoyaHTTP.HTTPMethod
        /// The applicable length; `nil` if there is none.
        let length: Int?

        init(
            _ description: String,
            method: MoyaHTTP.HTTPMethod = .get,
            status: Int = 200,
            _ headers: HTTPFields,
            _ length: Int?
        ) {
            (testDescription, self.method, self.length) = (description, method, length)
            head = ResponseHead(status: status, headers: headers)
        }
    }

    private static func fields(_ values: String...) -> HTTPFields {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .contentLength, value: value)) }
        return fields
    }

    static let rows: [Row] = [
        Row("a length", [.contentLength: "5"], 5), Row("zero", [.contentLength: "0"], 0),
        Row("an error's body", method: .post, status: 404, [.contentLength: "5"], 5),
        Row("the same value twice", fields("5", "5"), 5), Row("the same value in a list", fields("5, 5"), 5),
        Row("two values", fields("5", "6"), nil), Row("no length", [:], nil),
        Row("no number", fields("5x"), nil), Row("a sign", fields("+5"), nil), Row("nothing", fields(""), nil),
        Row("more than fits", fields("99999999999999999999"), nil),
        Row("HEAD", method: .head, [.contentLength: "5"], nil), Row("204", status: 204, [.contentLength: "5"], nil),
        Row("304", status: 304, [.contentLength: "5"], nil), Row("a redirect", status: 302, [.contentLength: "5"], nil),
        Row("a coding", [.contentLength: "5", .contentEncoding: "gzip"], nil),
        Row("chunks", [.contentLength: "5", .transferEncoding: "chunked"], nil),
    ]

    @Test("a Content-Length counts if the body is delivered without decoding", arguments: rows)
    func length(_ row: Row) {
        var declared = DeclaredLength(row.head, method: row.method)
        guard let length = row.length else {
            #expect(declared == nil)
            return
        }
        #expect(declared?.isTooShort == (length > 0))
        declared?.receive(max(0, length - 1))
        #expect(declared?.isTooShort == (length > 0))
        declared?.receive(1)
        #expect(declared?.isTooShort == false)
    }

    @Test("a complete body, and a body without a Content-Length, are not errors")
    func error() {
        let body = URLSessionBodyLength(method: .get)
        #expect(body.error(url: nil) == nil)
        body.receivedHead(ResponseHead(status: 200, headers: [.contentLength: "2"]))
        #if canImport(Darwin)
        #expect(body.error(url: nil)?.code == .networkConnectionLost)
        #endif
        body.received(1)
        // The second report of a head is ignored.
        body.receivedHead(ResponseHead(status: 200, headers: [.contentLength: "2"]))
        body.received(1)
        #expect(body.error(url: nil) == nil)
    }
}
