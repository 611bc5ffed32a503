import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Only one of the headers whose names differ only in case is sent")
struct UniqueFieldNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var fields: [String: String]
        var earlier: [String: String] = [:]
        let expected: [String: String]
        var ambiguous: [String] = []
    }

    static let rows: [Row] = [
        Row(testDescription: "none", fields: [:], expected: [:]),
        Row(testDescription: "different names", fields: ["A": "1", "B": "2"], expected: ["A": "1", "B": "2"]),
        Row(
            testDescription: "one step",
            fields: ["Ab": "1", "AB": "2", "ab": "3", "c": "4"],
            expected: ["ab": "3", "c": "4"],
            ambiguous: ["AB", "Ab", "ab"]
        ),
        Row(testDescription: "a later step", fields: ["a": "1", "A": "2"], earlier: ["a": "1"], expected: ["A": "2"]),
        Row(
            testDescription: "a later step with the same value",
            fields: ["a": "1", "A": "1"],
            earlier: ["a": "1"],
            expected: ["A": "1"]
        ),
        Row(
            testDescription: "an earlier header that was changed",
            fields: ["a": "3", "A": "2"],
            earlier: ["a": "1", "A": "2"],
            expected: ["a": "3"]
        ),
        Row(
            testDescription: "two of a later step",
            fields: ["a": "1", "A": "2", "B": "3", "b": "4"],
            earlier: ["B": "3"],
            expected: ["a": "1", "b": "4"],
            ambiguous: ["A", "a"]
        ),
        Row(
            testDescription: "two that were there before",
            fields: ["a": "1", "A": "2"],
            earlier: ["a": "1", "A": "2"],
            expected: ["a": "1"],
            ambiguous: ["A", "a"]
        ),
    ]

    @Test(
        "the header of the later step is sent, and in one step the last name in the order of code points is sent",
        arguments: rows
    )
    func rules(_ row: Row) throws {
        let unique = UniqueFieldNames(row.fields, after: row.earlier)
        #expect(unique.fields == row.expected)
        #expect(unique.ambiguousNames == row.ambiguous)
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.allHTTPHeaderFields = row.fields
        request.removeSupersededHeaders(after: { row.earlier })
        #expect(request.allHTTPHeaderFields ?? [:] == row.expected)
        guard row.earlier.isEmpty else { return }
        // The same rule applies when a dictionary is converted to a collection, and before the request is sent.
        #expect(HTTPHeaders(row.fields).dictionary == row.expected)
        let fields = try HTTPFields(checking: row.fields)
        #expect(fields.map(\.name.rawName) == row.expected.keys.sorted())
        #expect(fields.map(\.value) == row.expected.sorted { $0.key < $1.key }.map(\.value))
    }

    @Test("the quick check for headers finds all names that differ only in case")
    func quickCheck() {
        var random = SeededGenerator(seed: 14)
        for _ in 0..<2_000 {
            let name = String(
                (0..<Int.random(in: 1...30, using: &random)).compactMap { _ in
                    "aZ-09_.!xY".randomElement(using: &random)
                }
            )
            let other = String(name.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 })
            guard other != name else { continue }
            #expect(UniqueFieldNames.canContainDuplicates([name, "x", other]), "\(name) \(other)")
        }
        #expect(!UniqueFieldNames.canContainDuplicates(["Accept", "Content-Type", "Authorization", "User-Agent"]))
        #expect(!UniqueFieldNames.canContainDuplicates([String]()))
        #expect(!UniqueFieldNames.canContainDuplicates(["", ""]))
        for (upper, lower) in [("\u{c9}", "\u{e9}"), ("X-\u{c9}-With-A-Long-Name", "x-\u{e9}-with-a-long-name")] {
            #expect(UniqueFieldNames.canContainDuplicates([upper, "", "x", lower]))
        }
    }
}
