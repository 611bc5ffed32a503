import Foundation
import Moya
import Testing

@Suite("Filters accept responses by status code")
struct FilterTests {
    struct Filter: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lowest: Int
        let highest: Int
        let apply: @Sendable (Response) throws -> Response

        init(
            _ name: String,
            _ lowest: Int,
            _ highest: Int,
            _ apply: @escaping @Sendable (Response) throws -> Response
        ) {
            testDescription = name
            self.lowest = lowest
            self.highest = highest
            self.apply = apply
        }
    }

    static let filters: [Filter] = [
        Filter("200..<300", 200, 299) { try $0.filter(statusCodes: 200..<300) },
        Filter("200...299", 200, 299) { try $0.filter(statusCodes: 200...299) },
        Filter("404...404", 404, 404) { try $0.filter(statusCodes: 404...404) },
        Filter("400...", 400, .max) { try $0.filter(statusCodes: 400...) },
        Filter("..<300", .min, 299) { try $0.filter(statusCodes: ..<300) },
        Filter("...300", .min, 300) { try $0.filter(statusCodes: ...300) },
        Filter("an empty range", 1, 0) { try $0.filter(statusCodes: 200..<200) },
        Filter("one code", 204, 204) { try $0.filter(statusCode: 204) },
        Filter("the greatest code", .max, .max) { try $0.filter(statusCode: .max) },
        Filter("the least code", .min, .min) { try $0.filter(statusCode: .min) },
        Filter("success", 200, 299) { try $0.filterSuccessfulStatusCodes() },
        Filter("success and redirects", 200, 399) { try $0.filterSuccessfulStatusAndRedirectCodes() },
    ]

    @Test("fact 102: a filter returns the same response or throws it in .statusCode", arguments: filters)
    func filter(_ filter: Filter) throws {
        for code in [.min, -1, 0] + Array(99...600) + [.max] {
            let response = Response(statusCode: code, data: Data("body".utf8))
            if filter.lowest <= code, code <= filter.highest {
                #expect(try filter.apply(response) === response, "\(code)")
                continue
            }
            let error = #expect(throws: MoyaError.self, "\(code)") { try filter.apply(response) }
            guard case .statusCode(let refused) = error else {
                Issue.record("\(code): \(String(describing: error))")
                continue
            }
            #expect(refused === response)
        }
    }

    @Test("fact 102: a filter evaluates a custom range expression")
    func ownExpression() throws {
        struct Hundreds: RangeExpression {
            func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int { 0..<0 }
            func contains(_ element: Int) -> Bool { element % 100 == 0 }
        }
        let accepted = Response(statusCode: 300, data: Data())
        #expect(try accepted.filter(statusCodes: Hundreds()) === accepted)
        let error = #expect(throws: MoyaError.self) {
            try Response(statusCode: 301, data: Data()).filter(statusCodes: Hundreds())
        }
        #expect(error?.name == "statusCode")
    }

    @Test("filters of a response can be chained, and their result can be unused")
    func chain() throws {
        let response = Response(statusCode: 200, data: Data("3".utf8))
        try response.filterSuccessfulStatusCodes()
        try response.filterSuccessfulStatusAndRedirectCodes()
        try response.filter(statusCode: 200)
        try response.filter(statusCodes: 200...)
        #expect(try response.filter(statusCode: 200).filterSuccessfulStatusCodes().map(Int.self) == 3)
        let error = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes().filter(statusCode: 201).map(Int.self)
        }
        #expect(error?.name == "statusCode")
    }
}
