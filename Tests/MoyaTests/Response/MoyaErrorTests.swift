import Foundation
import Moya
import Testing

@Suite("MoyaError has a code, a text and a cause")
struct MoyaErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let error: MoyaError
        let name: String
        let code: Int
        let text: String
        var hasResponse = false
        var hasCause = false
        var testDescription: String { name }
    }

    static let response = Response(statusCode: 418, data: Data("tea".utf8))
    static let refusal = "The status code 418 is not accepted. Body: tea"
    static let cause = NSError(domain: "kitchen", code: 7, userInfo: [NSLocalizedDescriptionKey: "The cause."])

    static let rows: [Row] = [
        Row(
            error: .imageMapping(response),
            name: "imageMapping",
            code: 0,
            text: "Failed to map data to an Image.",
            hasResponse: true
        ),
        Row(
            error: .jsonMapping(response),
            name: "jsonMapping",
            code: 1,
            text: "Failed to map data to JSON.",
            hasResponse: true
        ),
        Row(
            error: .stringMapping(response),
            name: "stringMapping",
            code: 2,
            text: "Failed to map data to a String.",
            hasResponse: true
        ),
        Row(
            error: .objectMapping(cause, response),
            name: "objectMapping",
            code: 3,
            text: "Failed to map data to a Decodable object.",
            hasResponse: true,
            hasCause: true
        ),
        Row(
            error: .encodableMapping(cause),
            name: "encodableMapping",
            code: 4,
            text: "Failed to encode Encodable object into data.",
            hasCause: true
        ),
        Row(
            error: .statusCode(response),
            name: "statusCode",
            code: 5,
            text: refusal,
            hasResponse: true
        ),
        Row(
            error: .underlying(cause, response),
            name: "underlying",
            code: 6,
            text: "The cause.",
            hasResponse: true,
            hasCause: true
        ),
        Row(
            error: .underlying(cause),
            name: "underlying",
            code: 6,
            text: "The cause.",
            hasCause: true
        ),
        Row(
            error: .requestMapping("no url"),
            name: "requestMapping",
            code: 7,
            text: #"Failed to map Endpoint to a URLRequest. The URL "no url" is not valid."#
        ),
        Row(
            error: .parameterEncoding(cause),
            name: "parameterEncoding",
            code: 8,
            text: "Failed to encode parameters for URLRequest. The cause.",
            hasCause: true
        ),
    ]

    @Test("the table of errors has every case of MoyaError")
    func complete() {
        #expect(Set(Self.rows.map(\.name)).count == 9)
        for row in Self.rows { #expect(row.error.name == row.name) }
    }

    @Test(
        "fact 113: the codes of a MoyaError and of its NSError are 0 to 8, in the order of the cases",
        arguments: rows
    )
    func code(row: Row) {
        #expect(row.error.errorCode == row.code)
        #expect((row.error as NSError).code == row.code)
        #expect((row.error as any Error as NSError).code == row.code)
    }

    @Test("fact 114: the domain of a MoyaError and of its NSError is Moya.MoyaError", arguments: rows)
    func domain(row: Row) {
        #expect(MoyaError.errorDomain == "Moya.MoyaError")
        #expect((row.error as NSError).domain == "Moya.MoyaError")
        #expect((row.error as any Error as NSError).domain == "Moya.MoyaError")
    }

    @Test(
        "fact 115: userInfo of a MoyaError and of its NSError has only the description and the cause",
        arguments: rows
    )
    func userInfo(row: Row) {
        for info in [row.error.errorUserInfo, (row.error as NSError).userInfo] {
            var keys: Set<String> = [NSLocalizedDescriptionKey]
            if row.hasCause { keys.insert(NSUnderlyingErrorKey) }
            #expect(Set(info.keys) == keys)
            #expect(info[NSLocalizedDescriptionKey] as? String == row.text)
            if row.hasCause { #expect(info[NSUnderlyingErrorKey] as? NSError === Self.cause) }
        }
    }

    @Test("fact 115: userInfo of a MoyaError has a cause that is a Swift error unchanged")
    func swiftCause() {
        struct Oops: Error, Equatable { var id = 3 }
        #expect(MoyaError.underlying(Oops()).errorUserInfo[NSUnderlyingErrorKey] as? Oops == Oops())
        let cancelled = MoyaError.underlying(URLError(.cancelled))
        let cause = (cancelled as NSError).userInfo[NSUnderlyingErrorKey] as? URLError
        #expect(cause?.code == .cancelled)
    }

    @Test("fact 116: response of a MoyaError is the error's response if it has one", arguments: rows)
    func response(row: Row) {
        #expect(row.error.response === (row.hasResponse ? Self.response : nil))
    }

    @Test("fact 118: MoyaError is not Equatable")
    func notEquatable() {
        func isEquatable(_ value: Any) -> Bool { value is any Equatable }
        #expect(!isEquatable(MoyaError.requestMapping("")))
        #expect(!isEquatable(MoyaError.statusCode(Self.response)))
        // The check detects an Equatable type.
        #expect(isEquatable(Self.response))
        #expect(isEquatable(URLError(.unknown)))
    }

    @Test("fact 117: each case of MoyaError has its text", arguments: rows)
    func text(row: Row) {
        #expect(row.error.errorDescription == row.text)
        #expect(row.error.localizedDescription == row.text)
        #expect((row.error as any Error).localizedDescription == row.text)
        #expect((row.error as NSError).localizedDescription == row.text)
    }

    @Test("fact 117: a MoyaError that wraps another MoyaError has the text of the wrapped error")
    func nestedText() {
        let error = MoyaError.underlying(MoyaError.statusCode(Self.response), Self.response)
        #expect(error.localizedDescription == Self.refusal)
    }
}
