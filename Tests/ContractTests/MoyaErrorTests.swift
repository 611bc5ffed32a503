import Foundation
import Moya
import Testing

@Suite("MoyaError has the interface of the contract")
struct MoyaErrorTests {
    static let response = Response(statusCode: 404, data: Data())

    static let all: [MoyaError] = [
        .imageMapping(response),
        .jsonMapping(response),
        .stringMapping(response),
        .objectMapping(ShopError(), response),
        .encodableMapping(ShopError()),
        .statusCode(response),
        .underlying(ShopError(), nil),
        .requestMapping("no URL"),
        .parameterEncoding(ShopError()),
    ]

    /// Returns the name of a case; the switch is exhaustive, so an additional case would not compile.
    static func name(_ error: MoyaError) -> String {
        switch error {
        case .imageMapping(let response): return "imageMapping \(response.statusCode)"
        case .jsonMapping(let response): return "jsonMapping \(response.statusCode)"
        case .stringMapping(let response): return "stringMapping \(response.statusCode)"
        case .objectMapping(let error, let response): return "objectMapping \(error) \(response.statusCode)"
        case .encodableMapping(let error): return "encodableMapping \(error)"
        case .statusCode(let response): return "statusCode \(response.statusCode)"
        case .underlying(let error, let response): return "underlying \(error) \(response?.statusCode ?? 0)"
        case .requestMapping(let url): return "requestMapping \(url)"
        case .parameterEncoding(let error): return "parameterEncoding \(error)"
        }
    }

    @Test("MoyaError has nine cases with associated values")
    func cases() {
        #expect(
            Self.all.map(Self.name) == [
                "imageMapping 404", "jsonMapping 404", "stringMapping 404", "objectMapping ShopError() 404",
                "encodableMapping ShopError()", "statusCode 404", "underlying ShopError() 0", "requestMapping no URL",
                "parameterEncoding ShopError()",
            ]
        )
    }

    @Test("response, errorDescription and errorUserInfo of a MoyaError are public")
    func properties() throws {
        let responses: [Moya.Response?] = Self.all.map { $0.response }
        #expect(responses.map { $0?.statusCode } == [404, 404, 404, 404, nil, 404, nil, nil, nil])
        let localized: LocalizedError = MoyaError.jsonMapping(Self.response)
        let text: String? = localized.errorDescription
        #expect(text == "Failed to map data to JSON.")
        let custom: CustomNSError = MoyaError.encodableMapping(ShopError())
        let info: [String: Any] = custom.errorUserInfo
        #expect(info[NSUnderlyingErrorKey] is ShopError && info.count == 2)
    }

    @Test("the NSError of a MoyaError has a domain and one of the codes 0 to 8")
    func nsError() {
        let errors = Self.all.map { $0 as NSError }
        #expect(errors.map { $0.code } == Array(0...8))
        #expect(Set(errors.map { $0.domain }) == ["Moya.MoyaError"])
    }
}
