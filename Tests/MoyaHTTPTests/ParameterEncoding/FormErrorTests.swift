import Foundation
import MoyaHTTP
import Testing

@Suite("Values that a form cannot represent cause a typed error")
struct FormErrorTests {
    private typealias Failure = URLEncodedFormEncoder.Error

    /// A type whose encoding is a function.
    private struct Written: Encodable {
        let write: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    private struct Mistake: Error, Equatable {}

    static let nameless: [(any Encodable & Sendable, String)] = [
        (5, "Int"), ("a", "String"), (true, "Bool"), (1.5, "Double"), ([1, 2], "Array<Int>"), ([Int](), "Array<Int>"),
        (Date(timeIntervalSince1970: 0), "Date"), (Data([1]), "Data"), (UUID(), "UUID"), (Int?.none, "Optional<Int>"),
        ([String: Int]?.none, "Optional<Dictionary<String, Int>>"), ([["a": 1]], "Array<Dictionary<String, Int>>"),
        (1...2, "ClosedRange<Int>"), (Decimal(1), "Decimal"),
    ]

    @Test("a form's value without names at the top level is an error", arguments: 0..<14)
    func topLevel(_ index: Int) {
        let (value, type) = Self.nameless[index]
        #expect(throws: Failure.topLevelHasNoNames(type)) { try plainForm(value) }
    }

    @Test("a form's value that encodes nothing is an error")
    func topLevelNothing() {
        #expect(throws: Failure.topLevelHasNoNames("Written")) { try plainForm(Written { _ in }) }
    }

    @Test(
        "a number in a form that is not finite is an error with its place",
        arguments: [Double.nan, .infinity, -.infinity]
    )
    func nonFinite(_ number: Double) {
        #expect(throws: Failure.nonFiniteNumber(path: "a")) { try plainForm(["a": number]) }
        #expect(throws: Failure.nonFiniteNumber(path: "a.b[1]")) { try plainForm(["a": ["b": [1, number]]]) }
        #expect(throws: Failure.nonFiniteNumber(path: "a")) { try plainForm(["a": Float(number)]) }
        #expect(throws: Failure.nonFiniteNumber(path: "a")) { try plainForm(["a": CGFloat(number)]) }
        #expect(throws: Failure.nonFiniteNumber(path: "a")) { try plainForm(["a": Double?.some(number)]) }
        #expect(throws: Failure.nonFiniteNumber(path: "a")) { try plainForm(["a": Decimal.nan]) }
        #expect(throws: Failure.nonFiniteNumber(path: "the top level")) { try plainForm(number) }
    }

    @Test(
        "dates that a form's date style cannot represent are an error",
        arguments: [Double.nan, .infinity, -.infinity]
    )
    func nonFiniteDates(_ seconds: Double) {
        let value = ["a": [Date(timeIntervalSince1970: seconds)]]
        for style: URLEncodedFormEncoder.DateEncoding in [
            .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(DateFormatter()),
        ] {
            #expect(throws: Failure.unrepresentableDate(path: "a[0]")) {
                try plainForm(value, URLEncodedFormEncoder(dateEncoding: style))
            }
        }
        #expect(throws: Failure.nonFiniteNumber(path: "a[0]")) {
            try plainForm(value, URLEncodedFormEncoder(dateEncoding: .deferredToDate))
        }
    }

    @Test(
        "RFC 3339, section 1: years without four digits are an error of the form encoder",
        arguments: [-62_167_219_201, 253_402_300_800, 1e300, -1e300]
    )
    func farDates(_ seconds: Double) {
        #expect(throws: Failure.unrepresentableDate(path: "a")) {
            try plainForm(["a": Date(timeIntervalSince1970: seconds)], URLEncodedFormEncoder(dateEncoding: .iso8601))
        }
    }

    @Test("a date with too many milliseconds is an error of the form encoder")
    func milliseconds() {
        let date = Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)
        #expect(throws: Failure.unrepresentableDate(path: "a")) {
            try plainForm(["a": date], URLEncodedFormEncoder(dateEncoding: .millisecondsSince1970))
        }
    }

    private static let conflicts: [@Sendable (any Encoder) throws -> Void] = [
        { encoder in
            _ = encoder.container(keyedBy: FormPairs.Name.self)
            _ = encoder.unkeyedContainer()
        },
        { encoder in
            _ = encoder.unkeyedContainer()
            _ = encoder.container(keyedBy: FormPairs.Name.self)
        },
        { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            _ = encoder.unkeyedContainer()
        },
        { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        },
        { encoder in
            var container = encoder.singleValueContainer()
            try container.encodeNil()
            try container.encodeNil()
        },
        { encoder in
            _ = encoder.container(keyedBy: FormPairs.Name.self)
            var container = encoder.singleValueContainer()
            try container.encode(1)
        },
    ]

    @Test("containers of different kinds for one value are an error of the form encoder", arguments: 0..<6)
    func conflict(_ index: Int) {
        let value = Written(write: Self.conflicts[index])
        #expect(throws: Failure.conflictingContainers(path: "a")) { try plainForm(["a": value]) }
        #expect(throws: Failure.conflictingContainers(path: "the top level")) { try plainForm(value) }
    }

    private final class Link: Encodable {
        let next: Link?
        init(_ next: Link?) { self.next = next }
    }

    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Endless())
        }
    }

    @Test("500 levels of a form are encoded, 5,000 levels are an error, and no depth crashes")
    func deep() throws {
        func chain(_ levels: Int) -> Link? { (0..<levels).reduce(nil) { next, _ in Link(next) } }
        var encoder = URLEncodedFormEncoder(keyPathEncoding: .custom { "\($0)\($1.prefix(1))" })
        encoder.nilEncoding = .null
        let text = try plainForm(chain(500), encoder)
        #expect(text == "next" + String(repeating: "n", count: 499) + "=null")
        #expect(throws: Failure.nestedTooDeeply) { try plainForm(chain(5_000)) }
        #expect(throws: Failure.nestedTooDeeply) { try plainForm(Endless()) }
        #expect(throws: Failure.nestedTooDeeply) { try plainForm(["a": Endless()]) }
    }

    @Test("endless nested containers and super-encoders are an error of the form encoder")
    func deepContainers() {
        #expect(throws: Failure.nestedTooDeeply) {
            try plainForm(
                Written { encoder in
                    var top = encoder.container(keyedBy: FormPairs.Name.self)
                    var row = top.nestedUnkeyedContainer(forKey: FormPairs.Name(stringValue: "a"))
                    for _ in 0..<100_000 { row = row.nestedUnkeyedContainer() }
                }
            )
        }
        #expect(throws: Failure.nestedTooDeeply) {
            try plainForm(
                Written { encoder in
                    let name = FormPairs.Name(stringValue: "a")
                    var keyed = encoder.container(keyedBy: FormPairs.Name.self)
                    for _ in 0..<100_000 { keyed = keyed.nestedContainer(keyedBy: FormPairs.Name.self, forKey: name) }
                }
            )
        }
        #expect(throws: Failure.nestedTooDeeply) {
            try plainForm(
                Written { encoder in
                    var next = encoder
                    for _ in 0..<100_000 {
                        var keyed = next.container(keyedBy: FormPairs.Name.self)
                        next = keyed.superEncoder()
                    }
                }
            )
        }
    }

    @Test("the form encoder passes on errors of values and custom styles")
    func thrown() {
        #expect(throws: Mistake()) { try plainForm(["a": Written { _ in throw Mistake() }]) }
        #expect(throws: Mistake()) {
            try plainForm(["a": Date()], URLEncodedFormEncoder(dateEncoding: .custom { _ in throw Mistake() }))
        }
        #expect(throws: Mistake()) {
            try plainForm(["a": Data()], URLEncodedFormEncoder(dataEncoding: .custom { _ in throw Mistake() }))
        }
    }

    @Test(
        "every error of the form encoder names the problem, its place and a remedy",
        arguments: [
            (
                URLEncodedFormEncoder.Error.topLevelHasNoNames("Int"),
                "A form needs names, but Int has none at its top level: put it into a struct or a dictionary."
            ),
            (
                .nonFiniteNumber(path: "a[0]"),
                "The number at a[0] is infinite or not a number: a form cannot represent it."
            ),
            (
                .unrepresentableDate(path: "a"),
                "The date at a cannot be represented in the chosen style: choose another date encoding."
            ),
            (
                .conflictingContainers(path: "a"),
                "The value at a requests several kinds of containers, or encodes a single value twice."
            ),
            (.nestedTooDeeply, "The value is nested more than 512 levels deep: reduce the depth."),
        ]
    )
    func errorText(_ error: URLEncodedFormEncoder.Error, text: String) {
        #expect(error.localizedDescription == text)
    }
}
