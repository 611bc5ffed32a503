import Foundation
import Moya
import Testing

@Suite("Response has the interface of the contract")
struct ResponseTests {
    struct Item: Decodable, Equatable {
        let id: Int
        let name: String
    }

    let response = Response(statusCode: 200, data: Data(#"{"id": 1, "name": "tea", "in": {"a": "b"}}"#.utf8))

    @Test("a response is created with defaults and keeps its properties")
    func properties() {
        let request: URLRequest? = response.request
        let head: HTTPURLResponse? = response.response
        #expect(response.statusCode == 200 && !response.data.isEmpty && request == nil && head == nil)
        let full = Response(statusCode: 201, data: Data(), request: Shop.request, response: Shop.head)
        #expect(full.request == Shop.request && full.response === Shop.head)
        #expect(full.description == "Status Code: 201, Data Length: 0" && full.debugDescription == full.description)
        let describable: CustomDebugStringConvertible = full
        #expect(describable.debugDescription == full.description)
        let equal: (Response, Response) -> Bool = (==)
        #expect(equal(full, full) && full != response)
    }

    @Test("the filters of a response have Moya 15's signatures")
    func filters() throws {
        let one: (Int) throws -> Response = response.filter(statusCode:)
        let closed: (ClosedRange<Int>) throws -> Response = response.filter(statusCodes:)
        let open: (PartialRangeFrom<Int>) throws -> Response = response.filter(statusCodes:)
        let success: () throws -> Response = response.filterSuccessfulStatusCodes
        let redirects: () throws -> Response = response.filterSuccessfulStatusAndRedirectCodes
        for filtered in [try one(200), try closed(200...299), try open(100...), try success(), try redirects()] {
            #expect(filtered === response)
        }
        #expect(throws: MoyaError.self) { try response.filter(statusCodes: 300..<400) }
        // The compiler gives no warning about the unused result.
        try response.filterSuccessfulStatusCodes()
    }

    @Test("mapJSON, mapString and map of a response have Moya 15's labels and defaults")
    func mappings() throws {
        let json: Any = try response.mapJSON()
        #expect((json as? [String: Any])?["id"] as? Int == 1)
        #expect(try Response(statusCode: 200, data: Data()).mapJSON(failsOnEmptyData: false) is NSNull)
        let mapJSON: (Bool) throws -> Any = response.mapJSON(failsOnEmptyData:)
        _ = try mapJSON(true)
        #expect(try response.mapString(atKeyPath: "in.a") == "b")
        #expect(try response.mapString().hasPrefix("{"))
        let mapString: (String?) throws -> String = response.mapString(atKeyPath:)
        #expect(try mapString("name") == "tea")
        let item = Item(id: 1, name: "tea")
        #expect(try response.map(Item.self) == item)
        #expect(try response.map(String.self, atKeyPath: "in.a") == "b")
        #expect(try response.map(Item.self, using: JSONDecoder()) == item)
        #expect(try response.map(Item.self, failsOnEmptyData: false) == item)
        let map: (Int.Type, String?, JSONDecoder, Bool) throws -> Int =
            response.map(_:atKeyPath:using:failsOnEmptyData:)
        #expect(try map(Int.self, "id", JSONDecoder(), true) == 1)
    }
}
