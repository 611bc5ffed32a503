import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Number objects are written by their kind, not by the types that they cast to")
struct NumberKindTests {
    @Test(
        "the kind of a number follows from the class and the Objective-C type",
        arguments: [
            ("c", .signedInteger), ("s", .signedInteger), ("i", .signedInteger), ("l", .signedInteger),
            ("q", .signedInteger), ("C", .unsignedInteger), ("S", .unsignedInteger), ("I", .unsignedInteger),
            ("L", .unsignedInteger), ("Q", .unsignedInteger), ("f", .float), ("d", .double), ("B", .boolean),
            ("@", nil),
        ] as [(String, NumberKind?)]
    )
    func types(_ type: String, kind: NumberKind?) throws {
        let type = try #require(type.utf8.first)
        #expect(NumberKind(objCType: type, isBoolean: false, isDecimal: false) == kind)
        // The types of Booleans and decimal numbers equal those of other numbers.
        #expect(NumberKind(objCType: type, isBoolean: true, isDecimal: false) == .boolean)
        #expect(NumberKind(objCType: type, isBoolean: false, isDecimal: true) == .decimal)
    }

    /// A number object that is created where it is needed.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let number: @Sendable () throws -> Any
        let kind: NumberKind
        /// The number in JSON.
        let json: String

        init(_ description: String, _ number: @escaping @Sendable () throws -> Any, _ kind: NumberKind, _ json: String)
        {
            (testDescription, self.number, self.kind, self.json) = (description, number, kind, json)
        }

        /// A number that Foundation's parser has created.
        static func parsed(_ json: String, _ kind: NumberKind) -> Row {
            Row("parsed \(json)", { try parse(json) }, kind, json)
        }

        private static func parse(_ json: String) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        }
    }

    static let numbers: [Row] = [
        .parsed("true", .boolean), .parsed("false", .boolean), .parsed("1", .signedInteger),
        .parsed("0", .signedInteger),
        .parsed("1.5", .double), .parsed("18446744073709551615", .unsignedInteger),
        Row("Bool", { NSNumber(value: true) }, .boolean, "true"),
        Row("Int", { NSNumber(value: 1) }, .signedInteger, "1"),
        Row("Int8", { NSNumber(value: Int8(1)) }, .signedInteger, "1"),
        Row("Double", { NSNumber(value: 1.5) }, .double, "1.5"),
        Row("Float", { NSNumber(value: Float(0.5)) }, .float, "0.5"),
        Row("decimal", { NSDecimalNumber(string: "1.25") }, .decimal, "1.25"),
    ]

    @Test("a number object keeps its kind", arguments: numbers)
    func kind(_ row: Row) throws {
        let number = try #require(AnyParameter.numberObject(row.number()))
        #expect(NumberKind(number) == row.kind)
        #expect(AnyParameter.boolean(number) == (row.kind == .boolean ? number.boolValue : nil))
    }

    @Test("a number object does not count as a number of Swift, although a cast succeeds", arguments: numbers)
    func exact(_ row: Row) throws {
        let number = try row.number()
        #expect(AnyParameter.exact(number, as: Bool.self) == nil)
        #expect(AnyParameter.exact(number, as: Int.self) == nil)
        #expect(AnyParameter.exact(number, as: Double.self) == nil)
        #expect(AnyParameter.exact(number, as: CGFloat.self) == nil)
    }

    @Test("a number of Swift does not count as a number object, although it is bridged to one")
    func swiftNumbers() {
        for value in [true, 1, 1.5, Float(1), Int8(1), CGFloat(1)] as [Any] {
            #expect(AnyParameter.numberObject(value) == nil)
        }
        #expect(AnyParameter.boolean(1) == nil && AnyParameter.boolean(true) == true)
    }

    @Test("a number object has the same JSON text on every platform and at every level", arguments: numbers)
    func json(_ row: Row) throws {
        let number = try row.number()
        var writers = [JSONFoundationWriter.data]
        #if !canImport(Darwin)
        writers.append(JSONParameterWriter.data)
        #endif
        for write in writers {
            #expect(try String(decoding: write(number, []), as: UTF8.self) == row.json)
            #expect(try String(decoding: write(["k": [number]], []), as: UTF8.self) == #"{"k":[\#(row.json)]}"#)
        }
    }

    @Test("a property list has the element for the kind of a number object", arguments: numbers)
    func propertyList(_ row: Row) throws {
        let request = URLRequest(url: try #require(URL(string: "http://h/")))
        let body = try PropertyListEncoding.xml.encode(request, withPropertyList: [row.number()]).httpBody
        let text = String(decoding: try #require(body), as: UTF8.self)
        let element =
            switch row.kind {
            case .boolean: "<\(row.json)/>"
            case .signedInteger, .unsignedInteger: "<integer>\(row.json)</integer>"
            case .float, .double, .decimal: "<real>\(row.json)</real>"
            }
        #expect(text.contains(element), "\(text)")
    }
}
