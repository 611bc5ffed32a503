import Alamofire
import Foundation
import TestServers
import Testing

@Suite("A DataTask awaits a response", .timeLimit(.minutes(2)))
struct DataTaskTests {
    private struct Item: Decodable, Equatable, Sendable {
        let id: Int
    }

    private func withServer(_ body: (StubServer) async throws -> Void) async throws {
        let server = try await StubServer([
            "/item": StubServer.Response(body: Data(#"{"id": 1}"#.utf8)),
            "/deleted": StubServer.Response(status: "204 No Content"),
            "/empty": StubServer.Response(),
            "/latin1": StubServer.Response(
                headers: ["Content-Type: text/plain; charset=ISO-8859-1"],
                body: Data([0xE9])
            ),
        ])
        try await body(server)
        await server.shutDown()
    }

    @Test("the type of a data task, its value or its result may be annotated")
    func annotations() async throws {
        try await withServer { server in
            let task: DataTask<Item> = AF.request(server.url("/item")).serializingDecodable()
            #expect(try await task.value == Item(id: 1))
            let item: Item = try await AF.request(server.url("/item")).serializingDecodable(Item.self).value
            let result: Result<Item, AlamofireError> = await task.result
            let data: Data = try await AF.request(server.url("/item")).serializingData().value
            let text: String = try await AF.request(server.url("/item")).serializingString().value
            #expect(try item == result.get() && data == Data(text.utf8))
            let response = await task.response
            #expect(response.response?.statusCode == 200 && response.data == data && response.value == item)
            #expect(try await AF.request(server.url("/latin1")).serializingString().value == "é")
        }
    }

    @Test("a data task fails for a status that is not accepted, and for data that does not decode")
    func errors() async throws {
        try await withServer { server in
            let rejected = await AF.request(server.url("/none")).validate().serializingData().response
            #expect(rejected.error?.responseCode == 404 && rejected.response?.statusCode == 404)
            await #expect(throws: AlamofireError.self) {
                try await AF.request(server.url("/latin1")).serializingDecodable(Item.self).value
            }
        }
    }

    @Test("a type with an empty value accepts a response whose status allows no body")
    func empty() async throws {
        try await withServer { server in
            _ = try await AF.request(server.url("/deleted")).serializingDecodable(Empty.self).value
            _ = try await AF.request(server.url("/empty"), method: .head).serializingDecodable(Empty.self).value
            let unexpected = await AF.request(server.url("/empty")).serializingDecodable(Empty.self).result
            let other = await AF.request(server.url("/deleted")).serializingDecodable(Item.self).result
            for error in [unexpected.failure, other.failure] { #expect(error?.isResponseSerializationError == true) }
            if case .responseSerializationFailed(.inputDataNilOrZeroLength)? = unexpected.failure {
            } else {
                Issue.record()
            }
            if case .responseSerializationFailed(.invalidEmptyResponse)? = other.failure {} else { Issue.record() }
        }
    }

    @Test("cancelling a data task, or the task that waits for it, cancels the request unless that is disabled")
    func cancellation() async throws {
        let (arrived, go) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let server = try await ReactingServer { _ in
            arrived.continuation.yield()
            for await _ in go.stream { break }
            return .respond(200)
        }
        var arrivals = arrived.stream.makeAsyncIterator()
        let request = AF.request(server.url("/"))
        let cancelled = request.serializingData()
        _ = await arrivals.next()
        cancelled.cancel()
        #expect(await cancelled.result.failure?.isExplicitlyCancelledError == true)

        let awaited = AF.request(server.url("/"))
        let waiting = Task { await awaited.serializingData().result.failure?.isExplicitlyCancelledError }
        _ = await arrivals.next()
        waiting.cancel()
        #expect(await waiting.value == true)

        let kept = AF.request(server.url("/"))
        let task = kept.serializingData(automaticallyCancelling: false)
        let caller = Task { await task.response.response?.statusCode }
        _ = await arrivals.next()
        caller.cancel()
        go.continuation.finish()
        #expect(await caller.value == 200)
        await server.shutDown()
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
