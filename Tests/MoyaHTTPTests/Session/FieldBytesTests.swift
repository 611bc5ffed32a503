#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

// Texts are ISO 8859-1: "é" is the byte E9, which is not valid UTF-8.
@Suite("The bytes of field values are preserved (RFC 9110, section 5.5)", .timeLimit(.minutes(5)))
struct FieldBytesTests {
    typealias Response = ByteServer.Response

    private static func request(_ url: URL, _ path: String = "") -> URLRequest {
        URLRequest(url: url.appendingPathComponent(path))
    }

    @Test("a redirect percent-encodes each byte of Location as received", arguments: ByteServer.Kind.allCases)
    func redirect(_ kind: ByteServer.Kind) async throws {
        try await ByteServer.run(kind) { _, number in
            switch number {
            case 0: Response(status: 302, fields: [("Location", "/café?q=é x#é")])
            // The path has the UTF-8 of é, and a byte that is not UTF-8.
            case 1: Response(status: 307, fields: [("Location", "/\u{C3}\u{A9}/é%C3")])
            default: Response()
            }
        } _: { transport, url, requests in
            let response = try await Session.alone(on: transport).data(for: Self.request(url, "a"))
            #expect(requests.values.map(\.path) == ["/a", "/caf%E9?q=%E9%20x", "/%C3%A9/%E9%C3"])
            #expect(response.url?.path(percentEncoded: true) == "/%C3%A9/%E9%C3")
        }
    }

    @Test("a cookie is sent with the bytes that were received", arguments: ByteServer.Kind.allCases)
    func cookies(_ kind: ByteServer.Kind) async throws {
        let foundation = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let folder = try TemporaryFolder()
        let jar = try CookieJar(file: folder.file("cookies"), keepsSessionCookies: true)
        for storage in [CookieJar(), jar, FoundationCookieStorage(foundation)] as [any CookieStorage] {
            try await ByteServer.run(kind) { request, number in
                guard number == 0 else { return Response() }
                let fields = [
                    ("Set-Cookie", "sid=caféÿ; Path=/"), ("Set-Cookie", "é=1; Path=/"),
                    // The values are valid UTF-8, in two forms that are equal as characters.
                    ("Set-Cookie", "n=\u{C3}\u{A9}; Path=/"), ("Set-Cookie", "n=e\u{CC}\u{81}; Path=/"),
                    ("Location", "/b"), ("Content-Encoding", "gzip"),
                ]
                return Response(status: 302, fields: fields, body: try GzipEncoder.encode(Data("ok".utf8)))
            } _: { transport, url, requests in
                let session = Session.alone(on: transport, cookieStorage: storage)
                for _ in 0..<2 { _ = try await session.data(for: Self.request(url, "a")) }
                #expect(requests.values.map(\.path) == ["/a", "/b", "/a"])
                #expect(requests.values.first?["cookie"] == [])
                for request in requests.values.dropFirst() {
                    let cookies = request["cookie"].flatMap { $0.components(separatedBy: "; ") }
                    #expect(Set(cookies) == ["sid=caféÿ", "é=1", "n=e\u{CC}\u{81}"], "\(storage)")
                }
            }
        }
        // Another process reads the file.
        try await jar.flush()
        let copy = try CookieJar(file: folder.file("cookies"))
        #expect(copy.cookies.map(\.nameText.bytes) == jar.cookies.map(\.nameText.bytes))
        #expect(copy.cookies.map(\.valueText.bytes) == jar.cookies.map(\.valueText.bytes))
        let stored = try #require(copy.cookies.first { $0.name == "sid" })
        #expect(stored.value == "caféÿ")
        #expect(stored.valueText.bytes == ByteServer.bytes("caféÿ"))
        #expect(copy.cookies.first { $0.value == "1" }?.name == "é")
    }

    @Test("a cookie storage of strings gets ISO 8859-1 and sends UTF-8")
    func strings() throws {
        struct Storage: CookieStorage {
            let fields = Recorder<String>()
            func cookieHeader(for url: URL, context: CookieContext) -> String? { fields.values.last }
            func store(setCookie fields: [String], from url: URL, context: CookieContext) {
                fields.forEach { self.fields.add($0) }
            }
        }
        let (storage, url) = (Storage(), URL(fileURLWithPath: "/"))
        let field = HTTPField(name: .setCookie, value: ByteServer.bytes("n=é"))
        storage.store(setCookieFields: [field], from: url, context: CookieContext())
        #expect(storage.fields.values == ["n=é"])
        #expect(storage.cookieField(for: url, context: CookieContext())?.bytes == Array("n=é".utf8))
    }

    enum Store: CaseIterable, Sendable { case memory, disk }

    @Test(
        "a cached response is validated by the bytes of its validators, even in a later process",
        arguments: ByteServer.Kind.allCases,
        Store.allCases
    )
    func validation(_ kind: ByteServer.Kind, _ store: Store) async throws {
        let folder = try TemporaryFolder()
        let memory = MemoryCacheStore()
        try await ByteServer.run(kind) { request, _ in
            let isKnown = request["if-none-match"] == ["\"café\""]
            return Response(
                status: isKnown ? 304 : 200,
                fields: [("ETag", "\"café\""), ("Cache-Control", "no-cache"), ("Server", "é")]
            )
        } _: { transport, url, requests in
            for number in 0..<3 {
                // The store is opened again each time.
                let store: any CacheStore =
                    switch store {
                    case .memory: memory
                    case .disk: try DiskCacheStore(directory: folder.url)
                    }
                let session = Session(
                    transport: transport,
                    configuration: .ephemeral,
                    cache: HTTPCache(store: store)
                )
                let response = try await session.data(for: Self.request(url, "a"))
                #expect(response.statusCode == 200)
                #expect(response.source == (number == 0 ? .network : .revalidated))
                #expect(response.headers[fields: .eTag].map(\.bytes) == [ByteServer.bytes("\"café\"")])
                #expect(response.headers[fields: .server].map(\.bytes) == [[0xE9]])
                #expect(response.makeHTTPURLResponse()?.value(forHTTPHeaderField: "ETag") == "\"café\"")
            }
            #expect(requests.values.map { $0["if-none-match"] } == [[], ["\"café\""], ["\"café\""]])
        }
    }

    @Test("a cached response is not reused for other bytes in a field that Vary names")
    func vary() async throws {
        let store = MemoryCacheStore()
        for kind in ByteServer.Kind.allCases {
            try await ByteServer.run(kind) { request, _ in
                let fields = [("Cache-Control", "max-age=60"), ("Vary", "Cookie")]
                return Response(fields: fields, body: Data(request["cookie"].joined().utf8))
            } _: { transport, url, requests in
                func check(_ cookie: String, _ body: String) async throws {
                    let jar = CookieJar()
                    let field = HTTPField(name: .setCookie, value: ByteServer.bytes("n=\(cookie); Path=/"))
                    jar.store(setCookieFields: [field], from: url)
                    let session = Session(
                        transport: transport,
                        configuration: .ephemeral,
                        cache: HTTPCache(store: store),
                        options: SessionOptions(cookieStorage: jar)
                    )
                    let data = try await session.data(for: Self.request(url, "a")).data
                    #expect(String(decoding: data, as: UTF8.self) == body)
                }
                try await check("é", "n=é")
                try await check("è", "n=è")
                try await check("é", "n=é")
                try await check("\u{C3}\u{A9}", "n=\u{C3}\u{A9}")
                #expect(requests.values.count == 3)
            }
        }
    }

    @Test("a download is resumed with the received bytes of its ETag", arguments: [ByteServer.Kind.plain, .secure])
    func resumption(_ kind: ByteServer.Kind) async throws {
        let tag = ByteServer.bytes("\"é\"")
        let storable = FieldText(bytes: tag).storable
        let entity = DownloadEntity(url: "http://a/", entityTag: storable, lastModified: nil, totalLength: 4)
        // The file beside a partial download is JSON.
        let copy = try JSONDecoder().decode(DownloadEntity.self, from: try JSONEncoder().encode(entity))
        #expect(copy.isSame(as: entity))
        let utf8 = DownloadEntity(url: "http://a/", entityTag: "\"é\"", lastModified: nil, totalLength: 4)
        #expect(!utf8.isSame(as: entity))

        let file = try TemporaryFolder()
        try await ByteServer.run(kind) { request, _ in
            let fields = [("ETag", "\"é\""), ("Accept-Ranges", "bytes")]
            guard request["if-range"] == ["\"é\""], request["range"] == ["bytes=2-"] else {
                return Response(fields: fields, body: Data("ab".utf8), missing: 2)
            }
            return Response(status: 206, fields: fields + [("Content-Range", "bytes 2-3/4")], body: Data("cd".utf8))
        } _: { transport, url, requests in
            let target = file.file("a")
            let session = Session.alone(on: transport)
            _ = try await session.download(
                Self.request(url, "a"),
                to: { _, _ in (target, .resumesWhenInterrupted) }
            )
            #expect(try file.text("a") == "abcd")
            #expect(requests.values.map { $0["if-range"] } == [[], ["\"é\""]])
        }
    }

    @Test("the realm of a Digest challenge is returned and hashed with the received bytes")
    func digest() async throws {
        try await ByteServer.run { request, _ in
            let challenge = "Digest realm=\"café\", nonce=\"é\", opaque=\"ÿ\", qop=\"auth\", algorithm=MD5"
            return request["authorization"].isEmpty
                ? Response(status: 401, fields: [("WWW-Authenticate", challenge)]) : Response()
        } _: { transport, url, requests in
            let response = try await Session.alone(on: transport)
                .data(for: Self.request(url, "a"), record: .user("u", "p"))
            #expect(response.statusCode == 200)
            let sent = try #require(requests.values.last?["authorization"].first)
            #expect(
                sent.contains("realm=\"café\"") && sent.contains("nonce=\"é\"") && sent.contains("opaque=\"ÿ\"")
            )
            let values = Dictionary(
                sent.dropFirst(7).components(separatedBy: ", ").map { part in
                    let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                    return (pair[0], pair[1].replacing("\"", with: ""))
                },
                uniquingKeysWith: { first, _ in first }
            )
            func hash(_ text: String) -> String { MD5.hash(ByteServer.bytes(text)).hexadecimal }
            let (key, target) = (hash("u:café:p"), hash("GET:/a"))
            let count = try #require(values["nc"]), client = try #require(values["cnonce"])
            #expect(values["response"] == hash("\(key):é:\(count):\(client):auth:\(target)"))
        }
    }

    @Test(
        "a server's file name is read as UTF-8 or, if it is invalid, as ISO 8859-1",
        arguments: ByteServer.Kind.allCases
    )
    func fileNames(_ kind: ByteServer.Kind) async throws {
        let names = [
            "attachment; filename=\"café.txt\"", "attachment; filename=café.txt",
            "attachment; filename=\"caf\u{C3}\u{A9}.txt\"", "attachment; filename*=iso-8859-1''caf%E9.txt",
        ]
        try await ByteServer.run(kind) { _, number in
            Response(fields: [("Content-Disposition", names[number])])
        } _: { transport, url, _ in
            let session = Session.alone(on: transport)
            for name in names {
                let response = try await session.data(for: Self.request(url, "a"))
                let suggested = response.makeHTTPURLResponse()?.suggestedFilename
                #expect(suggested.map { Array($0.utf8) } == Array("café.txt".utf8), "\(name)")
            }
        }
    }
}
#endif
