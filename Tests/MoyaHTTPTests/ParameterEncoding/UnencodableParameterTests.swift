import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Errors name the parameter that cannot be encoded")
struct UnencodableParameterTests {
    struct Row: Sendable {
        let name: String
        let value: @Sendable () -> any Sendable

        init(_ name: String, _ value: @autoclosure @escaping @Sendable () -> any Sendable) {
            self.name = name
            self.value = value
        }
    }

    private static let request = URLRequest(url: URL(string: "http://h/p") ?? URL(fileURLWithPath: "/"))

    static let infinite: [Row] = [
        Row("k", Double.infinity), Row("k", -Double.infinity), Row("k", Double.nan), Row("k", Float.infinity),
        Row("k", Float.nan), Row("k", CGFloat.infinity), Row("k", Decimal.nan), Row("k", NSNumber(value: Double.nan)),
        Row("k", Double?.some(.infinity)), Row("k[]", [1, Double.nan]), Row("k[a]", ["a": Double.infinity]),
        Row("k[a][]", ["a": [Float.nan]]),
    ]

    @Test(
        "a parameter that is not a finite number is refused in queries and forms, and the error names the parameter",
        arguments: infinite
    )
    func infiniteNumbers(_ row: Row) {
        for encoding in [URLEncoding.queryString, .httpBody, .default] {
            let error = #expect(throws: URLEncoding.Error.self) {
                try encoding.encode(Self.request, with: ["a": 1, "k": row.value()])
            }
            #expect(error == .nonFiniteNumber(name: row.name))
            #expect(
                error?.localizedDescription
                    == "The parameter \(row.name) is a number that is NaN or infinite: pass a finite number, or a string."
            )
        }
    }

    @Test(
        "finite numbers of every type are written as parameters",
        arguments: [Double(1.5) as any Sendable, Float(1.5), CGFloat(1.5), Decimal(1.5)]
    )
    func finiteNumbers(_ value: any Sendable) throws {
        let request = try URLEncoding.queryString.encode(Self.request, with: ["k": value])
        #expect(request.url?.query == "k=1.5")
    }

    private struct Point: Encodable, Sendable { var x = 1 }
    private enum Order: Sendable { case ascending }

    static let unsupported: [(Row, String, String?)] = [
        (Row("k", Date()), "k", "Date"), (Row("k", Data()), "k", "Data"), (Row("k", Point()), "k", "Point"),
        (Row("k", Order.ascending), "k", "Order"), (Row("k", [1, Date()] as [any Sendable]), "k[1]", "Date"),
        (Row("k", ["a": ["b": [0, 1, UUID()] as [any Sendable]]]), "k.a.b[2]", "UUID"),
        (Row("k", Set([1])), "k", "Set<Int>"),
        (Row("k", Double.nan), "k", nil), (Row("k", ["a": [Float.infinity]]), "k.a[0]", nil),
    ]

    @Test("the error of JSONEncoding names the parameter, its type and a remedy", arguments: unsupported)
    func unsupportedByJSON(_ row: Row, _ place: String, _ type: String?) {
        for options in [JSONSerialization.WritingOptions(), .sortedKeys] {
            let error = #expect(throws: JSONEncoding.Error.self) {
                try JSONEncoding(options: options).encode(Self.request, with: ["k": row.value()])
            }
            #expect(error == .invalidJSONObject)
            let problem =
                type.map { "is of the type \($0), which JSON cannot represent" }
                ?? "is a number that is NaN or infinite"
            #expect(error?.localizedDescription.hasPrefix("The parameter \(place) \(problem): send a") == true)
        }
    }
}
