import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A response can be continued later under conditions (RFC 9110, 8.8 and 14)")
struct DownloadEntityTests {
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    static let tag = "\"v1\""

    static func request(
        _ method: HTTPMethod = .get,
        _ url: String = "http://h/f?q=1",
        _ headers: HTTPFields = [:]
    ) throws -> TransportRequest {
        TransportRequest(method: method, url: try #require(URL(string: url)), headers: headers)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let headers: HTTPFields
        let validator: String?

        init(_ section: String, _ headers: HTTPFields, _ validator: String?) {
            (self.section, self.headers, self.validator) = (section, headers, validator)
        }

        var testDescription: String { "\(section): \(headers)" }
    }

    static let table: [Row] = [
        Row("8.8.3", [.eTag: tag], tag),
        Row("8.8.3", [.eTag: "\"\""], "\"\""),
        Row("8.8.3", [.eTag: "\"!#~\u{E9}\""], "\"!#~\u{E9}\""),
        Row("8.8.3", [.eTag: tag, .lastModified: date, .date: later], tag),
        Row("8.8.3", [.eTag: tag, .lastModified: date, .date: date], tag),
        // A weak tag cannot be used, and the date must not be used if there is a tag.
        Row("8.8.1", [.eTag: "W/\"v1\""], nil),
        Row("13.1.5", [.eTag: "W/\"v1\"", .lastModified: date, .date: later], nil),
        Row("8.8.3", [.eTag: "w/\"v1\""], nil),
        Row("8.8.3", [.eTag: "v1"], nil),
        Row("8.8.3", [.eTag: "\"v1"], nil),
        Row("8.8.3", [.eTag: "\""], nil),
        Row("8.8.3", [.eTag: ""], nil),
        Row("8.8.3", [.eTag: "\"a b\""], nil),
        Row("8.8.3", [.eTag: "\"a\"b\""], nil),
        Row("8.8.3", [.eTag: "\"a\", \"b\""], nil),
        Row("8.8.3", [.eTag: "*"], nil),
        // An empty tag, or `*`, is not a tag, so that the date can be used.
        Row("13.1.5", [.eTag: "", .lastModified: date, .date: later], date),
        Row("13.1.5", [.eTag: "*", .lastModified: date, .date: later], date),
        // A date is strong if it is at least one second old.
        Row("8.8.2.2", [.lastModified: date, .date: later], date),
        Row("8.8.2.2", [.lastModified: date, .date: "Mon, 07 Nov 1994 08:49:37 GMT"], date),
        Row("8.8.2.2", [.lastModified: date, .date: date], nil),
        Row("8.8.2.2", [.lastModified: later, .date: date], nil),
        Row("8.8.2.2", [.lastModified: date], nil),
        Row("8.8.2.2", [.lastModified: date, .date: "now"], nil),
        Row("8.8.2.2", [.lastModified: "yesterday", .date: later], nil),
        Row("8.8", [.date: later], nil),
        Row("8.8", [:], nil),
        // The offset in the file equals the encoded offset only without a coding.
        Row("8.4", [.eTag: tag, .contentEncoding: "gzip"], nil),
        Row("8.4", [.eTag: tag, .contentEncoding: "identity, br"], nil),
        Row("8.4", [.eTag: tag, .contentEncoding: "unknown"], tag),
        Row("8.4", [.eTag: tag, .contentEncoding: "Identity"], tag),
        Row("8.4", [.eTag: tag, .contentEncoding: ""], tag),
        Row("14.3", [.eTag: tag, .acceptRanges: "none"], nil),
        Row("14.3", [.eTag: tag, .acceptRanges: "items"], nil),
        Row("14.3", [.eTag: tag, .acceptRanges: "bytes"], tag),
        Row("14.3", [.eTag: tag, .acceptRanges: "items, Bytes"], tag),
    ]

    @Test("a download can be continued if its response has a strong validator and plain bytes", arguments: table)
    func entity(_ row: Row) throws {
        let entity = DownloadEntity(of: ResponseHead(status: 200, headers: row.headers), to: try Self.request())
        #expect(entity?.validator == row.validator)
        #expect(entity?.entityTag == nil || entity?.lastModified == nil)
    }

    @Test(
        "a download can be continued if its response has the status 200",
        arguments: [100, 199, 201, 203, 204, 206, 304, 404, 416, 500]
    )
    func status(_ status: Int) throws {
        let head = ResponseHead(status: status, headers: [.eTag: Self.tag])
        #expect(DownloadEntity(of: head, to: try Self.request()) == nil)
    }

    @Test(
        "a download can be continued only for GET, because ranges are not defined for other methods (14.2)",
        arguments: ["POST", "HEAD", "PUT", "get"]
    )
    func method(_ method: String) throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag])
        #expect(DownloadEntity(of: head, to: try Self.request(HTTPMethod(rawValue: method))) == nil)
    }

    @Test("a download of a range that the caller requested cannot be continued")
    func ownRange() throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag])
        #expect(DownloadEntity(of: head, to: try Self.request(.get, "http://h/", [.range: "bytes=5-"])) == nil)
    }

    @Test(
        "the length of a download is stored if it is known",
        arguments: [("0", 0), ("1000", 1000), ("-1", nil), ("1, 1", nil), ("99999999999999999999", nil), ("x", nil)]
            as [(String, Int64?)]
    )
    func total(_ length: String, total: Int64?) throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag, .contentLength: length])
        let entity = try #require(DownloadEntity(of: head, to: try Self.request()))
        #expect(entity.totalLength == total)
    }

    @Test("the URL of a download is stored without user name, password and fragment")
    func url() throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag])
        let entity = try #require(DownloadEntity(of: head, to: try Self.request(.get, "http://u:secret@h/f?q=1#part")))
        #expect(entity.url == "http://h/f?q=1")
    }

    struct URLRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: String?
        var hasBody = false
        let url: String

        init(_ testDescription: String, _ method: String?, hasBody: Bool = false, _ url: String) {
            (self.testDescription, self.method, self.hasBody, self.url) = (testDescription, method, hasBody, url)
        }
    }

    static let urls: [URLRow] = [
        URLRow("a GET", nil, "http://h/f?q=1"),
        URLRow("an explicit GET", "GET", "http://h/f?q=1"),
        // The result depends on the content.
        URLRow("a GET with content", "GET", hasBody: true, "http://mirror/signed?n=2"),
        URLRow("a POST", "POST", "http://mirror/signed?n=2"),
    ]

    @Test(
        "a GET download is identified by the caller's URL, and another method by the URL of its last request",
        arguments: urls
    )
    func original(_ row: URLRow) throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag])
        var original = URLRequest(url: try #require(URL(string: "http://u:secret@h/f?q=1#part")))
        original.httpMethod = row.method
        if row.hasBody { original.httpBody = Data("a".utf8) }
        let last = try Self.request(.get, "http://mirror/signed?n=2")
        #expect(DownloadEntity(of: head, to: last, for: original)?.url == row.url)
    }

    typealias Make = DownloadResumptionTests

    static let pairs: [(DownloadEntity, DownloadEntity, Bool)] = [
        (Make.entity(), Make.entity(), true),
        (Make.entity(), Make.entity(total: nil), true),
        (Make.entity(total: nil), Make.entity(total: nil), true),
        (Make.entity(), Make.entity(total: 999), false),
        (Make.entity(), Make.entity(tag: "\"v2\""), false),
        (Make.entity(), Make.entity(tag: nil, date: date), false),
        (Make.entity(), Make.entity(tag: "\"v1\"", date: date), false),
        (Make.entity(tag: nil, date: date), Make.entity(tag: nil, date: date), true),
        (Make.entity(tag: nil, date: date), Make.entity(tag: nil, date: later), false),
        // Without a validator the entities cannot be compared.
        (Make.entity(tag: nil), Make.entity(tag: nil), false),
    ]

    @Test("two download responses count as the same bytes if URL, validator and length are equal", arguments: pairs)
    func same(_ one: DownloadEntity, other: DownloadEntity, isSame: Bool) {
        #expect(one.isSame(as: other) == isSame)
        #expect(other.isSame(as: one) == isSame)
    }

    @Test("two download responses do not count as the same bytes if their URLs differ")
    func otherURL() throws {
        let head = ResponseHead(status: 200, headers: [.eTag: Self.tag])
        let one = try #require(DownloadEntity(of: head, to: try Self.request(.get, "http://h/1")))
        let other = try #require(DownloadEntity(of: head, to: try Self.request(.get, "http://h/2")))
        #expect(!one.isSame(as: other))
    }
}
