import Foundation
import Moya
import Testing

/// Checks that code for the original keeps its meaning if a target becomes a typed target.
@Suite("The code of an application works after its targets have become typed targets")
struct TypedTargetTests {
    struct Item: Decodable, Equatable {
        let id: Int
    }

    /// An untyped target.
    struct GetItem: TargetType {
        let id: Int
        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "items/\(id)" }
        var method: Moya.Method { return .get }
        var task: Task { return .requestPlain }
        var sampleData: Data { return Data(#"{"id": 7}"#.utf8) }
        var headers: [String: String]? { return nil }
    }

    /// The same target as a typed target, which differs by the line with the output.
    struct TypedGetItem: TypedTargetType {
        typealias Output = Item
        let id: Int
        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "items/\(id)" }
        var method: Moya.Method { return .get }
        var task: Task { return .requestPlain }
        var sampleData: Data { return Data(#"{"id": 7}"#.utf8) }
        var headers: [String: String]? { return nil }
    }

    let untyped = MoyaProvider<GetItem>(stubClosure: MoyaProvider.immediatelyStub)
    let typed = MoyaProvider<TypedGetItem>(stubClosure: MoyaProvider.immediatelyStub)

    @Test("a callback of a provider gets the response for an untyped and for a typed target")
    func callbacks() {
        var ids = [Int]()
        untyped.request(GetItem(id: 7)) { result in
            switch result {
            case let .success(response):
                do {
                    ids.append(try response.filterSuccessfulStatusCodes().map(Item.self).id)
                } catch {
                    Issue.record(error)
                }
            case let .failure(error):
                Issue.record(error)
            }
        }
        typed.request(TypedGetItem(id: 7)) { result in
            switch result {
            case let .success(response):
                do {
                    ids.append(try response.filterSuccessfulStatusCodes().map(Item.self).id)
                } catch {
                    Issue.record(error)
                }
            case let .failure(error):
                Issue.record(error)
            }
        }
        typed.request(TypedGetItem(id: 7)) { ids.append((try? $0.get().statusCode) ?? 0) }
        typed.request(TypedGetItem(id: 7)) { _ in ids.append(1) }
        typed.request(
            TypedGetItem(id: 7),
            callbackQueue: nil,
            progress: { _ in },
            completion: { result in
                if case .success = result { ids.append(2) }
            }
        )
        let completion: Moya.Completion = { result in #expect((try? result.get())?.statusCode == 200) }
        typed.request(TypedGetItem(id: 7), completion: completion)
        #expect(ids == [7, 7, 200, 1, 2])
    }

    @Test("an awaited request returns the response if the code uses a response, and otherwise the output")
    func awaited() async throws {
        let plain = try await untyped.request(GetItem(id: 7))
        #expect(plain.statusCode == 200)
        let mapped = try await typed.request(TypedGetItem(id: 7)).map(Item.self)
        #expect(mapped == Item(id: 7))
        let response: Response = try await typed.request(TypedGetItem(id: 7))
        #expect(response.statusCode == 200)
        let item = try await typed.request(TypedGetItem(id: 7))
        #expect(item.id == 7)
    }

    @Test("MultiTarget wraps untyped and typed targets")
    func multiTarget() async throws {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let responses = [
            try await provider.request(MultiTarget(GetItem(id: 7))),
            try await provider.request(.target(TypedGetItem(id: 7))),
        ]
        #expect(responses.map { $0.statusCode } == [200, 200])
        let item = try await provider.request(TypedGetItem(id: 7))
        #expect(item.id == 7)
        var outputs = [Item]()
        provider.requestOutput(TypedGetItem(id: 7)) { result in
            if case .success(let item) = result { outputs.append(item) }
        }
        #expect(outputs == [Item(id: 7)])
    }

    @Test("a subclass of a provider overrides the same methods for typed and for untyped targets")
    func subclass() {
        final class Quiet: MoyaProvider<TypedGetItem> {
            override func request(
                _ target: TypedGetItem,
                callbackQueue: DispatchQueue? = .none,
                progress: ProgressBlock? = .none,
                completion: @escaping Completion
            ) -> Cancellable {
                return super.request(target, callbackQueue: nil, progress: nil, completion: completion)
            }
        }
        var codes = [Int]()
        _ = Quiet(stubClosure: MoyaProvider.immediatelyStub).request(TypedGetItem(id: 7)) { result in
            if case .success(let response) = result { codes.append(response.statusCode) }
        }
        #expect(codes == [200])
    }
}
