import Foundation
import Moya
import Testing

extension MoyaProvider {
    /// An async request that many applications declare for Moya 15, because Moya 15 has none.
    fileprivate func request(_ target: Target) async -> Result<Response, MoyaError> {
        await withCheckedContinuation { continuation in
            request(target) { continuation.resume(returning: $0) }
        }
    }

    /// An async request that throws and decodes, another common declaration.
    fileprivate func request<T: Decodable>(_ target: Target, as type: T.Type) async throws -> T {
        try await request(target).get().map(type)
    }
}

@Suite("An application may declare an async request")
struct OwnAsyncRequestTests {
    private struct Item: Decodable {
        let name: String
    }

    private let provider = MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub, callbackQueue: .global())

    @Test("the application's async request is preferred to the library's async request, which is also available")
    func preferred() async throws {
        let result = await provider.request(.list)
        #expect(try result.get().statusCode == 200)
        switch await provider.request(.item(1)) {
        case .success(let response): #expect(try response.map(Item.self).name == "tea")
        case .failure(let error): Issue.record(error)
        }
        #expect(try await provider.request(.item(1), as: Item.self).name == "tea")
        let response: Response = try await provider.request(.list)
        #expect(response.statusCode == 200)
    }
}
