import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Parameters are written into a JSON body")
struct JSONEncodingTests {
    private static func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.httpMethod = "POST"
        return request
    }

    private static func text(_ value: Any, _ options: JSONSerialization.WritingOptions = []) throws -> String? {
        try JSONEncoding(options: options).encode(request(), withJSONObject: value).httpBody
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private struct Custom {}

    /// A value that is created where it is needed, because not all values are Sendable.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: @Sendable () -> Any
        /// The written text; `nil` if the value cannot be written.
        let json: String?

        init(_ value: @escaping @Sendable @autoclosure () -> Any, _ json: String?) {
            self.value = value
            self.json = json
        }

        var testDescription: String { "\(type(of: value()))" }
    }

    static let values: [Row] = [
        Row("v", "\"v\""), Row("", "\"\""), Row(NSString("v"), "\"v\""), Row("\"\\\n\0😀", #""\"\\\n\u0000😀""#),
        Row(1, "1"), Row(0, "0"), Row(Int.max, "9223372036854775807"), Row(Int64.min, "-9223372036854775808"),
        Row(UInt64.max, "18446744073709551615"), Row(Int8(1), "1"), Row(1.5, "1.5"), Row(Decimal(1.5), "1.5"),
        Row(true, "true"), Row(false, "false"), Row(NSNumber(value: true), "true"), Row(NSNumber(value: 1), "1"),
        Row(NSNumber(value: Int8(1)), "1"), Row(AnyHashable("v"), "\"v\""), Row(CGFloat(1.5), "1.5"),
        Row("vw".dropLast(), "\"v\""), Row("v" as Character, "\"v\""), Row(Float(0.5), "0.5"),
        Row([AnyHashable("a"): 1], #"{"a":1}"#), Row([AnyHashable(1), AnyHashable("b")], #"[1,"b"]"#),
        Row(NSNull(), "null"), Row(Int?.some(1) as Any, "1"), Row(Int?.none as Any, "null"),
        Row([Any](), "[]"), Row([String: Any](), "{}"), Row([1, nil] as [Int?], "[1,null]"),
        Row(["a": nil] as [String: Int?], #"{"a":null}"#), Row(NSArray(array: [1]), "[1]"),
        Row(NSDictionary(dictionary: ["a": [1]]), #"{"a":[1]}"#),
        Row([["a": [true, "x", NSNull()] as [Any]]], #"[{"a":[true,"x",null]}]"#),
    ]

    static let invalid: [Row] = [
        Row(Date(timeIntervalSince1970: 0), nil), Row(Double.nan, nil), Row(Double.infinity, nil),
        Row(-Double.infinity, nil), Row(Float.nan, nil), Row(CGFloat.infinity, nil), Row(Decimal.nan, nil),
        Row(NSNumber(value: Double.nan), nil), Row(NSDecimalNumber.notANumber, nil), Row(Custom(), nil),
        Row(Data([1]), nil), Row(UUID(), nil), Row(URLError(.badURL), nil), Row(Set([1]), nil), Row([1: 2], nil),
        Row(NSDictionary(dictionary: [1: 2]), nil), Row([AnyHashable(1): 2], nil), Row((1, 2), nil), Row(Int.self, nil),
        Row(NSObject(), nil), Row({ 1 } as () -> Int, nil), Row(Date?.some(.distantPast) as Any, nil),
        Row(AnyHashable(Date()), nil), Row([Date()], nil), Row(["a": Double.nan], nil), Row(1...2, nil),
    ]

    @Test("fact 27: parameters become one JSON object with its content type, and the URL stays unchanged")
    func parameters() throws {
        let parameters: [String: any Sendable] = [
            "s": "é", "n": 1, "b": true, "a": [1, 2], "d": ["k": "v"], "z": NSNull(),
        ]
        for encoding in [JSONEncoding.default, .prettyPrinted, JSONEncoding(options: .sortedKeys)] {
            let encoded = try encoding.encode(Self.request(), with: parameters)
            #expect(encoded.url?.absoluteString == "http://h/")
            #expect(encoded.allHTTPHeaderFields == ["Content-Type": "application/json"])
            let body = try #require(encoded.httpBody)
            let decoded = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            #expect(Set(decoded.keys) == Set(parameters.keys))
            #expect(decoded["s"] as? String == "é")
            #expect(decoded["n"] as? Int == 1)
            #expect(decoded["b"] as? Bool == true)
            #expect(decoded["a"] as? [Int] == [1, 2])
            #expect(decoded["d"] as? [String: String] == ["k": "v"])
            #expect(decoded["z"] is NSNull)
        }
    }

    @Test("fact 27: an empty dictionary becomes an empty JSON object, and nil leaves the request unchanged")
    func nothing() throws {
        #expect(try JSONEncoding.default.encode(Self.request(), with: [:]).httpBody == Data("{}".utf8))
        var request = try Self.request()
        request.httpBody = Data("raw".utf8)
        for options: JSONSerialization.WritingOptions in [[], .fragmentsAllowed] {
            let encoding = JSONEncoding(options: options)
            for encoded in [try encoding.encode(request, with: nil), try encoding.encode(request)] {
                #expect(encoded == request)
                #expect(encoded.httpBody == Data("raw".utf8))
                #expect(encoded.allHTTPHeaderFields?.isEmpty != false)
            }
        }
    }

    @Test(
        "fact 27: JSONEncoding keeps an existing content type, in upper and lower case of its name",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE"]
    )
    func contentType(_ name: String) throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = [name: "application/vnd.api+json"]
        let encoded = try JSONEncoding.default.encode(request, with: ["k": "v"])
        #expect(encoded.allHTTPHeaderFields == [name: "application/vnd.api+json"])
    }

    @Test("fact 27: the options of JSONEncoding add lines, sort the keys, and leave slashes unescaped")
    func options() throws {
        let nested: [String: Any] = ["b": ["z": 1, "y": 2], "a": [1]]
        #expect(try Self.text(nested, .sortedKeys) == #"{"a":[1],"b":{"y":2,"z":1}}"#)
        let pretty = try #require(
            try JSONEncoding.prettyPrinted.encode(Self.request(), with: ["k": ["v"]]).httpBody
        )
        #expect(String(decoding: pretty, as: UTF8.self).split(separator: "\n").count > 3)
        #expect(try JSONSerialization.jsonObject(with: pretty) as? [String: [String]] == ["k": ["v"]])
        #expect(try Self.text(["a/b"]) == #"["a\/b"]"#)
        #expect(try Self.text(["a/b"], .withoutEscapingSlashes) == #"["a/b"]"#)
        #expect(JSONEncoding.default.options == [])
        #expect(JSONEncoding.prettyPrinted.options == .prettyPrinted)
    }

    @Test("JSONEncoding writes every JSON value inside an array and an object", arguments: values)
    func inside(_ row: Row) throws {
        let json = try #require(row.json)
        #expect(try Self.text([row.value()]) == "[\(json)]")
        #expect(try Self.text(["k": row.value()]) == #"{"k":\#(json)}"#)
    }

    @Test("RFC 8259, section 2: every JSON value is written at the top level, with any options", arguments: values)
    func topLevel(_ row: Row) throws {
        let json = try #require(row.json)
        for options: JSONSerialization.WritingOptions in [[], .fragmentsAllowed, .sortedKeys] {
            #expect(try Self.text(row.value(), options) == json)
        }
    }

    @Test(
        "values that JSON cannot represent cause invalidJSONObject at any depth, and never a trap",
        arguments: invalid
    )
    func refused(_ row: Row) {
        for options: JSONSerialization.WritingOptions in [[], .fragmentsAllowed, .sortedKeys, .prettyPrinted] {
            let wrapped: [Any] = [row.value(), [row.value()], ["k": row.value()], [1, ["a": [row.value()]]] as [Any]]
            for value in wrapped {
                #expect(throws: JSONEncoding.Error.invalidJSONObject) { try Self.text(value, options) }
            }
        }
    }

    @Test("a parameter that JSONEncoding refuses has the same error as a refused value")
    func refusedParameters() {
        let rows: [[String: any Sendable]] = [
            ["k": Date()], ["k": Double.nan], ["k": Double.infinity], ["k": [1, Double.nan]], ["k": ["a": Date()]],
            ["k": Custom()], ["k": Date?.some(Date())],
        ]
        for parameters in rows {
            #expect(throws: JSONEncoding.Error.invalidJSONObject) {
                try JSONEncoding.default.encode(Self.request(), with: parameters)
            }
        }
    }

    @Test("more levels of parameters than JSON readers support are an error, not a crash")
    func deep() throws {
        func nested(_ levels: Int) -> Any { (0..<levels).reduce(1 as Any) { value, _ in [value] } }
        let (open, close) = (String(repeating: "[", count: 100), String(repeating: "]", count: 100))
        #expect(try Self.text(nested(100)) == open + "1" + close)
        #expect(throws: JSONEncoding.Error.nestedTooDeeply) { try Self.text(nested(1_000)) }
        #expect(throws: JSONEncoding.Error.nestedTooDeeply) { try Self.text(nested(5_000)) }
    }

    #if os(macOS) || os(Linux)
    // The test has a separate process, because Foundation on Linux traps when a copy of a request without a URL is changed.
    @Test("JSONEncoding refuses a request without a URL and does not crash the process")
    func noURL() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: try #require(URL(string: "http://h/")))
            request.url = nil
            #expect(throws: RequestValidationError.invalidURL("")) {
                try JSONEncoding.default.encode(request, with: ["k": "v"])
            }
            #expect(try JSONEncoding.default.encode(request, with: nil) == request)
        }
    }
    #endif

    @Test("JSONEncoding passes on an error of asURLRequest()")
    func failingRequest() {
        struct Failing: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
        }
        #expect(throws: URLError(.badURL)) { try JSONEncoding.default.encode(Failing(), with: ["k": "v"]) }
    }

    @Test("the text of each error of JSONEncoding names the problem")
    func errorText() {
        #expect(
            JSONEncoding.Error.nestedTooDeeply.localizedDescription
                == "The parameters are nested more than 512 levels deep: reduce the depth."
        )
        #expect(
            JSONEncoding.Error.invalidJSONObject.localizedDescription
                == "The parameters have a value that JSON cannot represent: send strings, finite numbers, Booleans, NSNull, "
                + "arrays and dictionaries."
        )
    }
}
