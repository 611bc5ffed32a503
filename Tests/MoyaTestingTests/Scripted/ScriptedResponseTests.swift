import Foundation
import MoyaTesting
import TestSupport
import Testing

@Suite("A scripted transport returns responses", .timeLimit(.minutes(5)))
struct ScriptedResponseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sends one request to a transport that responds with the given response.
    private func send(
        _ answer: ScriptedResponse,
        method: HTTPMethod = .get,
        bufferLimit: Int = TransportRequest.defaultResponseBufferLimit
    ) async throws -> TransportResponse {
        let url = try #require(URL(string: "http://h/a"))
        let request = TransportRequest(method: method, url: url, responseBufferLimit: bufferLimit)
        return try await ScriptedTransport().next(answer).send(request)
    }

    private func pieces(_ response: TransportResponse) async throws -> [Data] {
        guard case .stream(let stream) = response.body else { throw URLError(.badServerResponse) }
        var pieces: [Data] = []
        for try await piece in stream { pieces.append(piece) }
        return pieces
    }

    private func whole(_ response: TransportResponse) throws -> Data {
        guard case .complete(let data) = response.body else { throw URLError(.badServerResponse) }
        return data
    }

    @Test("a scripted status has an empty body and `Content-Length: 0`")
    func status() async throws {
        let response = try await send(.status(503))
        #expect(response.status == 503)
        #expect(response.headers == [.contentLength: "0"])
        #expect(try whole(response).isEmpty)
    }

    @Test("scripted text and bytes have their content types")
    func text() async throws {
        let response = try await send(.text("hé", status: 201))
        #expect(response.status == 201)
        #expect(response.headers == [.contentType: "text/plain; charset=utf-8", .contentLength: "3"])
        #expect(try whole(response) == Data("hé".utf8))
        let data = try await send(.data(Data([1, 2]), type: "image/png"))
        #expect(data.headers == [.contentType: "image/png", .contentLength: "2"])
        #expect(try whole(data) == Data([1, 2]))
    }

    @Test("scripted JSON is encoded with sorted keys, or by the given encoder")
    func json() async throws {
        let mixed = try await send(
            .json(["name": "ann", "id": 1, "tags": ["a", nil, 2.5], "isAdmin": true], status: 201)
        )
        #expect(mixed.status == 201 && mixed.headers[.contentType] == "application/json")
        #expect(
            String(decoding: try whole(mixed), as: UTF8.self)
                == #"{"id":1,"isAdmin":true,"name":"ann","tags":["a",null,2.5]}"#
        )
        let response = try await send(.json(["b": 1, "a": 2]))
        #expect(response.headers[.contentType] == "application/json")
        #expect(try whole(response) == Data(#"{"a":2,"b":1}"#.utf8))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Value: Encodable { var someName = 1 }
        #expect(try whole(try await send(.json(Value(), encoder: encoder))) == Data(#"{"some_name":1}"#.utf8))
        let transport = ScriptedTransport().on(Shop.list, .json([Shop.Item(name: "x")]))
        #expect(try await MoyaProvider<Shop>(transport).request(.list).map([Shop.Item].self) == [Shop.Item(name: "x")])
    }

    @Test("a scripted value that cannot be encoded fails the request")
    func notEncodable() async throws {
        let error = await #expect(throws: ScriptedResponseError.self) { _ = try await send(.json(Double.nan)) }
        #expect(error?.reason == .notEncodable("Double"))
        #expect(
            error?.localizedDescription.hasPrefix("The Double of a scripted response can't be encoded as JSON") == true
        )
    }

    @Test("a scripted file is returned in pieces with its length and type")
    func file() async throws {
        let file = folder.file("a.json")
        let text = String(repeating: "0123456789", count: 50_000)
        try Data(text.utf8).write(to: file)
        let response = try await send(.file(file))
        #expect(response.headers == [.contentType: "application/json", .contentLength: "500000"])
        let pieces = try await pieces(response)
        #expect(pieces.count > 2)
        #expect(pieces.allSatisfy { $0.startIndex == 0 })
        #expect(Data(pieces.joined()) == Data(text.utf8))
        try folder.write("small", to: "b")
        let small = try await send(.file(folder.file("b"), status: 202, type: "text/plain"))
        #expect(small.status == 202)
        #expect(try whole(small) == Data("small".utf8))
    }

    @Test("a missing scripted file fails the request with an error that names the file")
    func missingFile() async throws {
        let file = folder.file("none.json")
        let error = await #expect(throws: ScriptedResponseError.self) { _ = try await send(.file(file)) }
        #expect(error?.reason == .file(file))
        #expect(
            error?.localizedDescription
                == "The file \"\(file.path)\" of a scripted response does not exist: correct the name."
        )
        let directory = await #expect(throws: ScriptedResponseError.self) { _ = try await send(.file(folder.url)) }
        #expect(directory?.localizedDescription.contains("is a directory") == true)
        let web = try #require(URL(string: "http://h/a"))
        let noFile = await #expect(throws: ScriptedResponseError.self) { _ = try await send(.file(web)) }
        #expect(noFile?.localizedDescription.contains("is not a file URL") == true)
        let provider = MoyaProvider<Shop>(ScriptedTransport().on(Shop.list, .file(file)))
        #expect(await provider.error(.list) as? ScriptedResponseError == error)
    }

    @Test("scripted chunks are received separately if the body is a stream")
    func chunks() async throws {
        let response = try await send(.chunks(["a", "", "bc", "d"]), bufferLimit: 0)
        #expect(response.headers == [.contentType: "text/plain; charset=utf-8", .transferEncoding: "chunked"])
        #expect(try await pieces(response) == [Data("a".utf8), Data("bc".utf8), Data("d".utf8)])
        #expect(try whole(try await send(.chunks(["a", "bc"]))) == Data("abc".utf8))
        let bytes = try await send(.chunks([Data([1]), Data([2, 3])]), bufferLimit: 0)
        #expect(try await pieces(bytes) == [Data([1]), Data([2, 3])])
    }

    @Test("a scripted body beyond the request's limit is a stream")
    func limit() async throws {
        let text = "0123456789"
        #expect(try whole(try await send(.text(text), bufferLimit: 10)) == Data(text.utf8))
        #expect(try await pieces(try await send(.text(text), bufferLimit: 9)) == [Data(text.utf8)])
        #expect(try await pieces(try await send(.status(200), bufferLimit: 0)) == [])
        let large = Data(repeating: 7, count: 200_000)
        let pieces = try await pieces(try await send(.data(large)))
        #expect(Data(pieces.joined()) == large)
        #expect(pieces.allSatisfy { $0.startIndex == 0 })
    }

    @Test("scripted headers are added, and replace default headers of the same name")
    func headers() async throws {
        let answer = ScriptedResponse.text("a").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2")
            .header("content-type", "text/html").headers([.eTag: "x"])
        let response = try await send(answer)
        #expect(response.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(response.headers[values: .contentType] == ["text/html"])
        #expect(response.headers[.eTag] == "x")
    }

    @Test(
        "invalid values of a script fail the request",
        arguments: [
            (ScriptedResponse.status(100), ScriptedResponseError.Reason.notAStatus(100)),
            (.text("a", status: 1_000), .notAStatus(1_000)), (.status(-1), .notAStatus(-1)),
            (.status(200).header("a b", "c"), .invalidHeaderName("a b")),
        ]
    )
    func mistakes(_ answer: ScriptedResponse, _ reason: ScriptedResponseError.Reason) async {
        let error = await #expect(throws: ScriptedResponseError.self) { _ = try await send(answer) }
        #expect(error?.reason == reason)
        #expect(error?.localizedDescription.isEmpty == false)
    }

    @Test("scripted responses to HEAD and with status 204 or 304 have no body, and HEAD has the headers of GET")
    func withoutBody() async throws {
        let head = try await send(.text("abc").truncated(at: 1), method: .head)
        #expect(head.headers == [.contentType: "text/plain; charset=utf-8", .contentLength: "3"])
        #expect(try whole(head).isEmpty)
        for status in [204, 304] {
            let response = try await send(.text("abc", status: status))
            #expect(response.headers.isEmpty)
            #expect(try whole(response).isEmpty)
        }
        let coded = try await send(.data(Data([1])).header("Content-Encoding", "gzip"), method: .head)
        #expect(try whole(coded).isEmpty)
    }

    @Test("a scripted body with a coding is decoded within its limits")
    func coded() async throws {
        // The data is "hello, hello, hello, hello", compressed by gzip.
        let gzipped = Data([
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7,
            0x51, 0xc8, 0xc0, 0xa4, 0x00, 0x55, 0xa3, 0x82, 0x77, 0x1a, 0x00, 0x00, 0x00,
        ])
        let answer = ScriptedResponse.data(gzipped, type: "text/plain").header("Content-Encoding", "gzip")
        #expect(try whole(try await send(answer)) == Data("hello, hello, hello, hello".utf8))
        let streamed = try await pieces(try await send(answer, bufferLimit: 0))
        #expect(Data(streamed.joined()) == Data("hello, hello, hello, hello".utf8))
        let url = try #require(URL(string: "http://h/a"))
        let limits = ContentDecodingLimits(size: 10)
        let request = TransportRequest(method: .get, url: url, decodingLimits: limits)
        let error = await #expect(throws: URLError.self) {
            _ = try await ScriptedTransport().next(answer).send(request)
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test("a scripted transport reads the request's body, and an error of the body fails the request")
    func requestBody() async throws {
        let transport = ScriptedTransport().on("**", .text("a"))
        let read = Locked(0)
        let body = HTTPBody.data(Data(repeating: 1, count: 300_000)).observingPieces {
            { piece in read.withLock { $0 += piece?.count ?? 0 } }
        }
        _ = try await transport.ask("http://h/", method: .post, body: body)
        #expect(read.withLock { $0 } == 300_000)
        let missing = folder.file("none")
        await #expect(throws: RequestBodyError(.missing, file: missing)) {
            try await transport.ask("http://h/", method: .post, body: .file(missing))
        }
        // The body is not read if there is no connection.
        _ = try? await transport.next(.refused).ask("http://h/", method: .post, body: body)
        #expect(read.withLock { $0 } == 300_000)
    }

    @Test("the error of a scripted body is thrown again, and never followed by the end")
    func repeatedError() async throws {
        let response = try await send(.text("abcd").reset(afterBytes: 2), bufferLimit: 0)
        guard case .stream(let stream) = response.body else { throw URLError(.badServerResponse) }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Data("ab".utf8))
        for _ in 1...2 {
            let error = await #expect(throws: URLError.self) { try await iterator.next() }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("a scripted transport calls onConnect once if there is a connection, and otherwise not")
    func onConnect() async throws {
        let url = try #require(URL(string: "http://h/a"))
        var request = TransportRequest(method: .get, url: url)
        let count = Locked(0)
        request.onConnect = { count.withLock { $0 += 1 } }
        for fault: ScriptedResponse in [.refused, .dnsFailure, .tlsFailure, .untrustedCertificate] {
            let response = try? await ScriptedTransport().next(fault).send(request)
            #expect(response?.status == nil)
        }
        #expect(count.withLock { $0 } == 0)
        _ = try await ScriptedTransport().next(.text("a")).send(request)
        _ = try? await ScriptedTransport().next(.reset).send(request)
        #expect(count.withLock { $0 } == 2)
    }
}
