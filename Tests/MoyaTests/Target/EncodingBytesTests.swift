import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Each encoding sends the expected bytes")
struct EncodingBytesTests {
    /// An encoding of an application.
    private struct CSVEncoding: ParameterEncoding {
        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.setValue("text/csv", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data((parameters ?? [:]).keys.sorted().joined(separator: ",").utf8)
            return request
        }
    }

    private struct Search: Encodable {
        var text = "a b"
        var pages = [1, 2]
        var isExact = true
    }

    private static let form = "content-type: application/x-www-form-urlencoded; charset=utf-8"
    private static let json = "content-type: application/json"
    private static let plist = "content-type: application/x-plist"

    private static let parameters: [String: any Sendable] = ["a": [1, 2], "b": true, "c": ["d": "é&"]]

    private static func encoded(
        _ encoding: any ParameterEncoding,
        _ parameters: [String: any Sendable] = parameters
    ) -> @Sendable (TemporaryFolder) -> HTTPTask {
        { _ in .requestParameters(parameters: parameters, encoding: encoding) }
    }

    private static let inBrackets = "a%5B%5D=1&a%5B%5D=2&b=1&c%5Bd%5D=%C3%A9%26"

    static let urlRows = [
        TaskRow("default, GET", .get, query: "?\(inBrackets)", task: encoded(URLEncoding.default)),
        TaskRow("default, DELETE", .delete, query: "?\(inBrackets)", task: encoded(URLEncoding.default)),
        TaskRow("default, POST", sent: [form], body: inBrackets, task: encoded(URLEncoding.default)),
        TaskRow("default, PUT", .put, sent: [form], body: inBrackets, task: encoded(URLEncoding.default)),
        TaskRow(
            "queryString, POST",
            baseQuery: "?k",
            query: "?k&\(inBrackets)",
            task: encoded(URLEncoding.queryString)
        ),
        TaskRow("httpBody", sent: [form], body: inBrackets, task: encoded(URLEncoding.httpBody)),
        TaskRow(
            "httpBody with a type of the target's",
            headers: ["Content-Type": "a/b"],
            sent: ["content-type: a/b"],
            body: "a=1",
            task: encoded(URLEncoding.httpBody, ["a": 1])
        ),
        TaskRow(
            "arrays without brackets, Booleans as words",
            query: "?a=1&a=2&b=true&c%5Bd%5D=%C3%A9%26",
            task: encoded(URLEncoding(destination: .queryString, arrayEncoding: .noBrackets, boolEncoding: .literal))
        ),
        TaskRow(
            "arrays with indices",
            query: "?a%5B0%5D=1&a%5B1%5D=2&b=1&c%5Bd%5D=%C3%A9%26",
            task: encoded(URLEncoding(destination: .queryString, arrayEncoding: .indexInBrackets))
        ),
        TaskRow(
            "arrays as one likes",
            query: "?a.0=1&a.1=2&b=1&c%5Bd%5D=%C3%A9%26",
            task: encoded(URLEncoding(destination: .queryString, arrayEncoding: .custom { "\($0).\($1)" }))
        ),
        TaskRow("no parameters, GET", .get, task: encoded(URLEncoding.default, [:])),
        TaskRow("no parameters, POST", sent: [form], body: "", task: encoded(URLEncoding.default, [:])),
    ]

    static let otherRows = [
        TaskRow("JSON", sent: [json], body: #"{"a":[1,null,"é"]}"#, task: encoded(JSONEncoding.default, json1)),
        TaskRow(
            "JSON, pretty",
            sent: [json],
            body: "{\n  \"a\" : \"b\"\n}",
            task: encoded(JSONEncoding.prettyPrinted, ["a": "b"])
        ),
        TaskRow(
            "JSON, sorted",
            sent: [json],
            body: #"{"a":1,"b":2,"c":3}"#,
            task: encoded(JSONEncoding(options: .sortedKeys), ["c": 3, "a": 1, "b": 2])
        ),
        TaskRow(
            "property list, XML",
            sent: [plist],
            body: """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>a</key>
                \t<string>b&amp;</string>
                </dict>
                </plist>

                """,
            task: encoded(PropertyListEncoding.xml, ["a": "b&"])
        ),
        TaskRow(
            "property list, binary",
            sent: [plist],
            bytes: binary,
            task: encoded(PropertyListEncoding.binary, ["a": "b"])
        ),
        TaskRow("one's own", sent: ["content-type: text/csv"], body: "a,b,c", task: encoded(CSVEncoding())),
        TaskRow(
            "a value, GET",
            .get,
            query: "?isExact=1&pages%5B%5D=1&pages%5B%5D=2&text=a%20b"
        ) { _ in .requestFormEncodable(Search()) },
        TaskRow(
            "a value, POST",
            sent: [form],
            body: "isExact=1&pages%5B%5D=1&pages%5B%5D=2&text=a%20b"
        ) { _ in .requestFormEncodable(Search()) },
        TaskRow(
            "a value in the query, in another style",
            baseQuery: "?k=1",
            query: "?k=1&is_exact=true&pages=1&pages=2&text=a+b"
        ) { _ in
            .requestFormEncodable(
                Search(),
                encoder: URLEncodedFormEncoder(
                    arrayEncoding: .noBrackets,
                    boolEncoding: .literal,
                    keyEncoding: .convertToSnakeCase,
                    spaceEncoding: .plus
                ),
                destination: .queryString
            )
        },
    ]

    private static let json1: [String: any Sendable] = ["a": [1, NSNull(), "é"] as [any Sendable]]

    /// A binary property list: the head, a dictionary of one pair, its two texts, the offset of each, and the tail.
    private static let binary: [UInt8] =
        Array("bplist00".utf8) + [0xD1, 1, 2] + Array("QaQb".utf8) + [8, 11, 13]
        + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 15]

    @Test("facts 22 to 26: URLEncoding sends the expected bytes", arguments: urlRows, TransportKind.allCases)
    func url(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    @Test(
        "fact 27: JSONEncoding and the newer encodings send the expected bytes",
        arguments: otherRows,
        TransportKind.allCases
    )
    func others(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }
}
