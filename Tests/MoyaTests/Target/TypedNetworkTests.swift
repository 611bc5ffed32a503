import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("Typed targets are requested over the network", .timeLimit(.minutes(5)))
struct TypedNetworkTests {
    /// A typed target at a server.
    private struct At<Output: Decodable & Sendable>: AnyTypedTarget {
        typealias ErrorBody = APIFailure
        var baseURL: URL
        var path: String
    }

    private struct DeleteAt: AnyTypedTarget {
        typealias Output = Void
        var baseURL: URL
        var path: String
        var method: Moya.Method { .delete }
    }

    private func withServer(_ body: (URL) async throws -> Void) async throws {
        let server = try await StubServer([
            "/user": .init(body: Data(#"{"login":"ashfurrow"}"#.utf8)),
            "/nobody": .init(status: "204 No Content"),
            "/refused": .init(status: "422 Unprocessable Content", body: Data(#"{"message":"no"}"#.utf8)),
            "/html": .init(status: "502 Bad Gateway", body: Data("<html>".utf8)),
        ])
        do {
            try await body(server.url("/"))
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }

    @Test(
        "outputs, empty outputs and error bodies of typed targets arrive over the network",
        arguments: TypedEntryPoint.allCases
    )
    func answers(entryPoint: TypedEntryPoint) async throws {
        try await withServer { url in
            let user = try await entryPoint.request(At<User>(baseURL: url, path: "user"), stub: nil).get()
            #expect(user == User(login: "ashfurrow"))
            let nobody = try await entryPoint.request(At<User?>(baseURL: url, path: "nobody"), stub: nil).get()
            #expect(nobody == nil)
            try await entryPoint.request(DeleteAt(baseURL: url, path: "nobody"), stub: nil).get()
            let empty = await entryPoint.request(At<User>(baseURL: url, path: "nobody"), stub: nil)
            #expect(empty.failure?.name == "objectMapping")
            #expect(empty.failure?.response?.statusCode == 204)
            let refused = await entryPoint.request(At<User>(baseURL: url, path: "refused"), stub: nil)
            guard case .failure(.underlying(let failure as APIFailure, let response?)) = refused else {
                Issue.record("\(refused)")
                return
            }
            #expect(failure == APIFailure(message: "no"))
            #expect(response.statusCode == 422)
            let html = await entryPoint.request(At<User>(baseURL: url, path: "html"), stub: nil)
            guard case .failure(.underlying(MoyaError.statusCode(let page), _)) = html else {
                Issue.record("\(html)")
                return
            }
            #expect(page.data == Data("<html>".utf8))
        }
    }

    @Test(
        "the callback of a typed target gets progress and the output on its queue",
        arguments: [false, true]
    )
    func progress(isMulti: Bool) async throws {
        try await withServer { url in
            let key = DispatchSpecificKey<Bool>()
            let queue = DispatchQueue(label: "wanted")
            queue.setSpecific(key: key, value: true)
            let places = Recorder<Bool>()
            let completed = Recorder<Bool>()
            let result = Promise<Result<User, MoyaError>>()
            let target = At<User>(baseURL: url, path: "user")
            let progress: ProgressBlock = {
                places.add(DispatchQueue.getSpecific(key: key) == true)
                completed.add($0.completed)
            }
            let completion: OutputCompletion<User> = {
                places.add(DispatchQueue.getSpecific(key: key) == true)
                result.fulfill($0)
            }
            if isMulti {
                MoyaProvider<MultiTarget>()
                    .requestOutput(target, callbackQueue: queue, progress: progress, completion: completion)
            } else {
                MoyaProvider<At<User>>()
                    .requestOutput(target, callbackQueue: queue, progress: progress, completion: completion)
            }
            let user = try await result.wait().get()
            #expect(user == User(login: "ashfurrow"))
            #expect(completed.values.last == true)
            #expect(places.values.allSatisfy { $0 })
        }
    }

    @Test("a request of a typed target is retried if its status is refused")
    func retried() async throws {
        let count = Locked(0)
        let transport = FakeTransport { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let body = Data((isFirst ? "{}" : #"{"login":"second"}"#).utf8)
            return TransportResponse(status: isFirst ? 503 : 200, body: .complete(body))
        }
        let provider = MoyaProvider<GetUser>(
            session: Session(transport: transport, interceptor: RetryPolicy(exponentialBackoffScale: 0))
        )
        let user = try await provider.request(GetUser(name: "a"))
        #expect(user == User(login: "second"))
        #expect(count.withLock { $0 } == 2)
    }
}
