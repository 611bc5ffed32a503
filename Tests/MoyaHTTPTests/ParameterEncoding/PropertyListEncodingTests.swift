import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Parameters are written into a property list body")
struct PropertyListEncodingTests {
    private typealias Failure = PropertyListEncoding.Error

    private static func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.httpMethod = "POST"
        return request
    }

    private static let both = [PropertyListEncoding.xml, .binary]

    /// Returns the value that Foundation reads from the encoded body of a value.
    private static func read(_ value: Any, _ encoding: PropertyListEncoding) throws -> Any {
        let body = try #require(try encoding.encode(request(), withPropertyList: value).httpBody)
        return try PropertyListSerialization.propertyList(from: body, options: [], format: nil)
    }

    private struct Custom {}

    /// A value that is created where it is needed, because not all values are Sendable.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: @Sendable () -> Any
        let readBack: @Sendable () -> any Sendable & Equatable

        init(
            _ value: @escaping @Sendable @autoclosure () -> Any,
            _ readBack: @escaping @Sendable @autoclosure () -> any Sendable & Equatable
        ) {
            self.value = value
            self.readBack = readBack
        }

        var testDescription: String { "\(type(of: value())) \(value())" }
    }

    static let values: [Row] = [
        Row("v", "v"), Row("", ""), Row("é<b>&]]>\"'\n\t😀", "é<b>&]]>\"'\n\t😀"), Row(NSString("v"), "v"),
        Row("vw".dropLast(), "v"), Row("v" as Character, "v"), Row(AnyHashable("v"), "v"),
        Row(1, 1), Row(0, 0), Row(-1, -1), Row(Int.max, Int.max), Row(Int64.min, Int.min),
        Row(UInt64.max, UInt64.max), Row(Int8(1), 1), Row(NSNumber(value: 7), 7), Row(Int?.some(1) as Any, 1),
        Row(1.5, 1.5), Row(Float(0.5), 0.5), Row(CGFloat(1.5), 1.5), Row(Decimal(1.5), 1.5),
        Row(Double.infinity, Double.infinity), Row(-Double.infinity, -Double.infinity),
        Row(true, true), Row(false, false), Row(NSNumber(value: true), true),
        Row(Data([0, 255]), Data([0, 255])), Row(NSData(data: Data([1])), Data([1])), Row(Data(), Data()),
        Row(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 1)),
        Row(Date.distantPast, Date.distantPast), Row(Date.distantFuture, Date.distantFuture),
        Row([Int](), [Int]()), Row([1, 2], [1, 2]), Row(NSArray(array: [1]), [1]), Row([AnyHashable(1)], [1]),
        Row(["a": "b"], ["a": "b"]), Row(NSDictionary(dictionary: ["a": 1]), ["a": 1]),
        Row([AnyHashable("a"): [1]], ["a": [1]]), Row([String: Int](), [String: Int]()),
        Row(["": ""], ["": ""]), Row(["é &<": [["x": [true]]]], ["é &<": [["x": [true]]]]),
    ]

    @Test("Foundation reads the written property list, at the top level and below, in both formats", arguments: values)
    func readBack(_ row: Row) throws {
        func check<T: Equatable>(_ expected: T) throws {
            for encoding in Self.both {
                #expect(try Self.read(row.value(), encoding) as? T == expected)
                #expect(try Self.read([row.value()], encoding) as? [T] == [expected])
                #expect(try Self.read(["k": [row.value()]], encoding) as? [String: [T]] == ["k": [expected]])
            }
        }
        try check(row.readBack())
    }

    @Test("NaN in a property list is written as a number, and read as NaN")
    func notANumber() throws {
        for encoding in Self.both {
            #expect(try (Self.read(Double.nan, encoding) as? Double)?.isNaN == true)
            #expect(try (Self.read(Decimal.nan, encoding) as? Double)?.isNaN == true)
        }
    }

    @Test("parameters become one property list dictionary with its content type, and the URL stays unchanged")
    func parameters() throws {
        let parameters: [String: any Sendable] = ["s": "é", "a": [1, 2], "d": ["k": Data([1])]]
        for (encoding, start) in [(PropertyListEncoding.default, "<?xml"), (.xml, "<?xml"), (.binary, "bplist00")] {
            let encoded = try encoding.encode(Self.request(), with: parameters)
            #expect(encoded.url?.absoluteString == "http://h/")
            #expect(encoded.allHTTPHeaderFields == ["Content-Type": "application/x-plist"])
            let body = try #require(encoded.httpBody)
            #expect(body.starts(with: Data(start.utf8)))
            let decoded = try PropertyListSerialization.propertyList(from: body, format: nil) as? [String: Any]
            #expect(decoded?.count == 3)
            #expect(decoded?["s"] as? String == "é")
            #expect(decoded?["a"] as? [Int] == [1, 2])
            #expect(decoded?["d"] as? [String: Data] == ["k": Data([1])])
        }
        #expect(PropertyListEncoding.default.format == .xml)
        #expect(PropertyListEncoding.binary.format == .binary)
        #expect(PropertyListEncoding.default.options == 0)
    }

    @Test("an empty dictionary becomes an empty property list, and nil leaves the request unchanged")
    func nothing() throws {
        var request = try Self.request()
        request.httpBody = Data("raw".utf8)
        for encoding in Self.both + [PropertyListEncoding(format: .openStep)] {
            for encoded in [try encoding.encode(request, with: nil), try encoding.encode(request)] {
                #expect(encoded == request)
                #expect(encoded.httpBody == Data("raw".utf8))
                #expect(encoded.allHTTPHeaderFields?.isEmpty != false)
            }
        }
        for encoding in Self.both {
            let body = try #require(try encoding.encode(Self.request(), with: [:]).httpBody)
            let decoded = try PropertyListSerialization.propertyList(from: body, format: nil) as? [String: Any]
            #expect(decoded?.isEmpty == true)
        }
    }

    @Test(
        "PropertyListEncoding keeps an existing content type, ignoring case",
        arguments: ["Content-Type", "content-type"]
    )
    func contentType(_ name: String) throws {
        var request = try Self.request()
        request.allHTTPHeaderFields = [name: "text/x-own"]
        let encoded = try PropertyListEncoding.default.encode(request, with: ["k": "v"])
        #expect(encoded.allHTTPHeaderFields == [name: "text/x-own"])
    }

    static let invalid: [(@Sendable () -> Any, String)] = [
        ({ NSNull() }, "NSNull"), ({ Int?.none as Any }, "nil"), ({ Int??.some(nil) as Any }, "nil"),
        ({ Custom() }, "Custom"), ({ UUID() }, "UUID"), ({ URLError(.badURL) }, "URLError"), ({ (1, 2) }, "(Int, Int)"),
        ({ URL(string: "http://h/") as Any }, "URL"), ({ Set([1]) }, "Set<Int>"), ({ [1: 2] }, "Dictionary<Int, Int>"),
        ({ NSObject() }, "NSObject"), ({ Int.self }, "Int.Type"), ({ 1...2 }, "ClosedRange<Int>"),
        ({ { 1 } as () -> Int }, "() -> Int"),
    ]

    @Test(
        "values that a property list cannot represent cause an error with place and type, and never a trap",
        arguments: 0..<14
    )
    func refused(_ index: Int) {
        let (value, type) = Self.invalid[index]
        for encoding in Self.both {
            for (wrapped, path) in [
                (value(), "the top level"), ([1, value()] as [Any], "[1]"), (["k": value()], "k"),
                (["k": [["a": value()]]], "k[0].a"),
            ] {
                #expect(throws: Failure.invalidValue(path: path, type: type)) { try Self.read(wrapped, encoding) }
            }
        }
    }

    @Test("a parameter that PropertyListEncoding refuses has the same error as a refused value")
    func refusedParameters() {
        for encoding in Self.both {
            #expect(throws: Failure.invalidValue(path: "k", type: "NSNull")) {
                try encoding.encode(Self.request(), with: ["a": 1, "k": NSNull()])
            }
        }
    }

    @Test(
        "XML 1.0, section 2.2: texts and keys with characters that XML cannot represent are refused in XML, not in binary",
        arguments: ["\0", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{E}", "\u{1F}", "\u{FFFE}", "\u{FFFF}", "a\u{1B}[0m"]
    )
    func controlCharacters(_ text: String) throws {
        #expect(throws: Failure.invalidText(path: "k[1]")) { try Self.read(["k": ["a", text]], .xml) }
        #expect(throws: Failure.invalidText(path: "k.\(text)")) { try Self.read(["k": [text: 1]], .xml) }
        #expect(try Self.read(["k": [text]], .binary) as? [String: [String]] == ["k": [text]])
        #expect(try Self.read([text: 1], .binary) as? [String: Int] == [text: 1])
    }

    @Test("dates that cannot be read again from a property list are refused and never trap")
    func dates() throws {
        for seconds in [Double.nan, .infinity, -.infinity] {
            for encoding in Self.both {
                #expect(throws: Failure.unrepresentableDate(path: "k")) {
                    try Self.read(["k": Date(timeIntervalSince1970: seconds)], encoding)
                }
            }
        }
        for seconds in [-62_167_219_201, 253_402_300_800, 1e15] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(throws: Failure.unrepresentableDate(path: "[0]")) { try Self.read([date], .xml) }
            #expect(try Self.read([date], .binary) as? [Date] == [date])
        }
        for seconds in [-62_167_219_200.0, 253_402_300_799] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try Self.read(date, .xml) as? Date == date)
        }
    }

    @Test("unsupported formats of property lists are refused")
    func format() {
        #expect(throws: Failure.unsupportedFormat) { try Self.read(["k": 1], PropertyListEncoding(format: .openStep)) }
    }

    @Test("more levels than property list readers support are refused")
    func deep() throws {
        func nested(_ levels: Int) -> Any { (0..<levels).reduce(1 as Any) { value, _ in [value] } }
        for encoding in Self.both {
            #expect(throws: Never.self) { try Self.read(nested(400), encoding) }
            for value in [nested(513), nested(5_000)] {
                #expect(throws: Failure.nestedTooDeeply) { try Self.read(value, encoding) }
            }
        }
    }

    #if os(macOS) || os(Linux)
    // The test has a separate process, because Foundation on Linux traps when a copy of a request without a URL is changed.
    @Test("PropertyListEncoding refuses a request without a URL and does not crash the process")
    func noURL() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: try #require(URL(string: "http://h/")))
            request.url = nil
            #expect(throws: RequestValidationError.invalidURL("")) {
                try PropertyListEncoding.default.encode(request, with: ["k": "v"])
            }
            #expect(try PropertyListEncoding.default.encode(request, with: nil) == request)
        }
    }
    #endif

    @Test(
        "every error of PropertyListEncoding names the problem and its place",
        arguments: [
            (
                PropertyListEncoding.Error.invalidValue(path: "a[0]", type: "UUID"),
                "The value at a[0] is of type UUID, which a property list cannot represent."
            ),
            (
                .invalidText(path: "a"),
                "The text at a has a control character, which XML cannot represent: use .binary, or send Data."
            ),
            (
                .unrepresentableDate(path: "a"),
                "The date at a is infinite, or its year does not have four digits: a property list cannot hold it."
            ),
            (.nestedTooDeeply, "The parameters are nested more than 512 levels deep: reduce the depth."),
            (.unsupportedFormat, "The format of a property list must be .xml or .binary."),
        ]
    )
    func errorText(_ error: PropertyListEncoding.Error, text: String) {
        #expect(error.localizedDescription == text)
    }
}
