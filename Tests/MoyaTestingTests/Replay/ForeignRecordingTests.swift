import Foundation
import Testing

@testable import MoyaTesting

@Suite("Recordings of other programs are read and replayed", .timeLimit(.minutes(5)))
struct ForeignRecordingTests {
    /// The folder of the recordings, as the programs wrote them; their secrets are not real.
    ///
    /// `browser.har` is from Chromium, by Playwright's `record_har_path`; `proxy.har` is from mitmproxy, by its option
    /// `hardump`.
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures").standardizedFileURL

    private static let names = ["browser.har", "proxy.har"]

    private enum Shop: TargetType {
        case picture, items, old
        case order([String: String])
        case form(password: String)

        var baseURL: URL { URL(string: "http://127.0.0.1:18080") ?? URL(fileURLWithPath: "/") }
        var path: String {
            switch self {
            case .picture: "dot.png"
            case .items: "items"
            case .old: "old"
            case .order: "orders"
            case .form: "form"
            }
        }
        var method: Moya.Method {
            switch self {
            case .order, .form: .post
            default: .get
            }
        }
        var task: HTTPTask {
            switch self {
            case .items:
                .requestParameters(parameters: ["q": "red lamp", "page": 1], encoding: URLEncoding.default)
            case .order(let order): .requestJSONEncodable(order)
            case .form(let password):
                .requestParameters(parameters: ["name": "Zoë", "password": password], encoding: URLEncoding.httpBody)
            default: .requestPlain
            }
        }
        var headers: [String: String]? { nil }
    }

    @Test(
        "images, redirects and forms of other programs are replayed, whatever secrets the requests contain",
        arguments: names
    )
    func replays(_ name: String) async throws {
        let replayer = HARReplayer(try HAR(contentsOf: Self.fixtures.appendingPathComponent(name)))
        let provider = MoyaProvider<Shop>(session: Session(transport: replayer))
        let picture = try await provider.request(.picture).data
        #expect(picture.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        let names = try await provider.request(.items).map([String].self, atKeyPath: "name")
        #expect(names == ["Rote Lampe – rouge"])
        #expect(try await provider.request(.form(password: "another")).statusCode == 200)
    }

    @Test("a browser's recording is replayed completely")
    func browser() async throws {
        let replayer = HARReplayer(try HAR(contentsOf: Self.fixtures.appendingPathComponent("browser.har")))
        let session = Session(transport: replayer, options: SessionOptions(cookieStorage: CookieJar()))
        for path in ["/", "/style.css", "/dot.png", "/items?page=1&q=red%20lamp", "/old", "/gone"] {
            let url = try #require(URL(string: "http://127.0.0.1:18080\(path)"))
            let response = try await session.data(for: URLRequest(url: url))
            #expect(response.statusCode == (path == "/gone" ? 404 : 200), "\(path)")
        }
        let provider = MoyaProvider<Shop>(session: session)
        struct Order: Encodable, Sendable {
            let note = "Grüße"
            let lamp = 1
        }
        var order = URLRequest(url: try #require(URL(string: "http://127.0.0.1:18080/orders")))
        order.httpMethod = "POST"
        order.httpBody = try JSONEncoder().encode(Order())
        order.setValue("application/json", forHTTPHeaderField: "Content-Type")
        #expect(try await session.data(for: order).statusCode == 201)
        #expect(try await provider.request(.form(password: "x")).mapString(atKeyPath: "access_token").hasPrefix("live"))
        #expect(replayer.unusedEntries.isEmpty)
    }

    @Test("recordings of other programs provide stubs", arguments: names)
    func stubs(_ name: String) async throws {
        let stubs = HARStubs(Self.fixtures.appendingPathComponent(name))
        let provider = MoyaProvider<Shop>(
            endpointClosure: stubs.endpointClosure,
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await provider.request(.old).map([String].self, atKeyPath: "name") == ["Rote Lampe – rouge"])
        let order = ["lamp": "2"]
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.order(order)) }
        guard case .underlying(let cause, _) = error else { throw URLError(.unknown) }
        #expect(((cause as NSError).userInfo[NSUnderlyingErrorKey] as? HARMismatch)?.nearest?.response.status == 201)
    }

    @Test("recordings of other programs are written and read back", arguments: names)
    func roundTrip(_ name: String) throws {
        let har = try HAR(contentsOf: Self.fixtures.appendingPathComponent(name))
        #expect(try HAR(data: har.data()) == har)
        let text = { (data: Data) in String(decoding: data, as: UTF8.self).replacing(" ", with: "") }
        let (before, after) = (
            text(try Data(contentsOf: Self.fixtures.appendingPathComponent(name))), text(try har.data())
        )
        for field in ["\"_monotonicTime\":", "\"_securityDetails\":", "\"_transferSize\":", "\"_frameref\":"] {
            #expect(after.ranges(of: field).count == before.ranges(of: field).count, "\(field) is kept")
        }
        let masked = String(decoding: try har.masking(.standard).data(), as: UTF8.self)
        for secret in ["browser-cookie", "live-token-from-the-server", "open+sesame"] {
            #expect(!masked.contains(secret), "\(secret)")
        }
    }
}
