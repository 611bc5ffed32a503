import Alamofire
import Foundation
import Moya
import TestServers
import Testing

@Suite("Response handlers receive the data of a response", .timeLimit(.minutes(2)))
struct ResponseHandlerTests {
    private struct Item: Decodable, Equatable, Sendable {
        let id: Int
    }

    private let queue = DispatchQueue(label: "handlers")

    /// Runs a test with a server that has an item, a text that is not UTF-8, and no other resource.
    private func withServer(_ body: (StubServer) async throws -> Void) async throws {
        let server = try await StubServer([
            "/item": StubServer.Response(body: Data(#"{"id": 1}"#.utf8)),
            "/latin1": StubServer.Response(body: Data([0xE9])),
        ])
        try await body(server)
        await server.shutDown()
    }

    @Test("each response handler receives the data in the type that the handler converts to")
    func forms() async throws {
        try await withServer { server in
            let request = { AF.request(server.url("/item")) }
            let data = await withCheckedContinuation { done in
                request().responseData(queue: queue) { done.resume(returning: $0) }
            }
            #expect(data.value == Data(#"{"id": 1}"#.utf8) && data.response?.statusCode == 200 && data.error == nil)
            #expect(data.request?.url == server.url("/item"))
            let text = await withCheckedContinuation { done in
                request().responseString(queue: queue) { done.resume(returning: $0.value) }
            }
            #expect(text == #"{"id": 1}"#)
            let item = await withCheckedContinuation { done in
                request().responseDecodable(of: Item.self, queue: queue) { done.resume(returning: $0.value) }
            }
            #expect(item == Item(id: 1))
            let plain = await withCheckedContinuation { done in
                AF.request(server.url("/none")).response(queue: queue) { done.resume(returning: $0) }
            }
            #expect(plain.response?.statusCode == 404 && plain.error == nil && plain.value == .some(nil))
        }
    }

    @Test("a response handler reports a status that is not accepted as an error with the response")
    func validation() async throws {
        try await withServer { server in
            let rejected = await withCheckedContinuation { done in
                AF.request(server.url("/none")).validate().responseData(queue: queue) { done.resume(returning: $0) }
            }
            #expect(rejected.error?.responseCode == 404 && rejected.response?.statusCode == 404)
            #expect(rejected.data == Data() && rejected.value == nil)
            let accepted = await withCheckedContinuation { done in
                AF.request(server.url("/none")).validate(statusCode: [404]).responseData(queue: queue) {
                    done.resume(returning: $0.error)
                }
            }
            #expect(accepted == nil)
        }
    }

    @Test("a response handler reports data that cannot be converted as an error")
    func conversion() async throws {
        try await withServer { server in
            let text = await withCheckedContinuation { done in
                AF.request(server.url("/latin1")).responseString(queue: queue) { done.resume(returning: $0.error) }
            }
            #expect(text?.isResponseSerializationError == true)
            let item = await withCheckedContinuation { done in
                AF.request(server.url("/latin1")).responseDecodable(of: Item.self, queue: queue) {
                    done.resume(returning: $0.error)
                }
            }
            #expect(item?.isResponseSerializationError == true && item?.underlyingError is DecodingError)
        }
    }

    @Test(
        "the text of a response is decoded by the given encoding, the content type's charset or UTF-8, in this order",
        arguments: [
            (nil, nil, [0xC3, 0xA9], "é"), (nil, nil, [0xE9], nil), ("text/plain", nil, [0xC3, 0xA9], "é"),
            ("text/plain; charset=utf-8", nil, [0xE9], nil), ("text/plain; charset=ISO-8859-1", nil, [0xE9], "é"),
            ("text/plain; charset=\"windows-1252\"", nil, [0x80], "€"),
            ("text/plain; charset=Windows-1251", nil, [0xE9], "й"),
            ("text/plain; charset=iso-8859-2", nil, [0xE8], "č"), ("text/plain; charset=us-ascii", nil, [0x61], "a"),
            ("text/plain; charset=utf-16le", nil, [0xE9, 0], "é"),
            ("text/plain; charset=utf-16be", nil, [0, 0xE9], "é"),
            ("text/plain; charset=shift_jis", nil, [0x82, 0xA0], "あ"),
            ("text/plain; charset=unheard-of", nil, [0xC3, 0xA9], "é"),
            ("text/plain; charset=utf-8", .isoLatin1, [0xC3, 0xA9], "Ã©"), (nil, .isoLatin1, [0xE9], "é"),
        ] as [(String?, String.Encoding?, [UInt8], String?)]
    )
    func charset(type: String?, encoding: String.Encoding?, bytes: [UInt8], text: String?) async throws {
        let response = StubServer.Response(headers: type.map { ["Content-Type: \($0)"] } ?? [], body: Data(bytes))
        let server = try await StubServer(["/": response])
        let value = await withCheckedContinuation { done in
            AF.request(server.url("/")).responseString(queue: queue, encoding: encoding) {
                done.resume(returning: $0.value)
            }
        }
        #expect(value == text)
        await server.shutDown()
    }

    @Test("a response handler reports a failed exchange as an error without a response")
    func failure() async throws {
        let server = try await StubServer([:])
        let url = server.url("/")
        await server.shutDown()
        let response = await withCheckedContinuation { done in
            AF.request(url).responseData(queue: queue) { done.resume(returning: $0) }
        }
        #expect(response.error?.isSessionTaskError == true && response.error?.underlyingError is URLError)
        #expect(response.response == nil && response.data == nil)
    }

    /// Retries once if the status is not accepted.
    private final class Once: RequestInterceptor {
        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: Error,
            completion: @escaping (RetryResult) -> Void
        ) {
            completion(request.task?.response is HTTPURLResponse && request.retryCount == 0 ? .retry : .doNotRetry)
        }
    }

    /// A retrier that fails the request with the error that it receives.
    private struct Refuser: RequestInterceptor {
        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: Error,
            completion: @escaping (RetryResult) -> Void
        ) {
            completion(.doNotRetryWithError(error))
        }
    }

    @Test("a response that a retrier replaces with an error keeps its body")
    func refusal() async throws {
        let server = try await ReactingServer { _ in .respond(403, body: Data("expired".utf8)) }
        let session = Session(interceptor: Refuser())
        let response = await withCheckedContinuation { done in
            session.request(server.url("/")).validate().responseData(queue: queue) { done.resume(returning: $0) }
        }
        #expect(response.error?.responseCode == 403 && response.response?.statusCode == 403)
        #expect(response.data == Data("expired".utf8))
        await server.shutDown()
    }

    @Test("a retrier is asked only about a status that is not accepted")
    func retry() async throws {
        let server = try await ReactingServer { .respond($0.number == 0 ? 503 : 200) }
        let session = Session(interceptor: Once())
        let status = await withCheckedContinuation { done in
            session.request(server.url("/")).validate().responseData(queue: queue) {
                done.resume(returning: $0.response?.statusCode)
            }
        }
        #expect(status == 200 && server.count == 2)
        await server.shutDown()
    }
}
