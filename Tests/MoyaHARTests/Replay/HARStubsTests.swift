import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHAR

@Suite("Stubs respond from a HAR file")
struct HARStubsTests {
    private enum Shop: TargetType {
        case item(Int)
        case search(String)
        case order([String: Int])
        case upload

        var baseURL: URL { URL(string: "https://shop.example.com/v1") ?? URL(fileURLWithPath: "/") }
        var path: String {
            switch self {
            case .item(let number): "/items/\(number)"
            case .search: "/search"
            case .order: "/orders"
            case .upload: "/pictures"
            }
        }
        var method: Moya.Method {
            switch self {
            case .item, .search: .get
            case .order, .upload: .post
            }
        }
        var task: HTTPTask {
            switch self {
            case .item: .requestPlain
            case .search(let text): .requestParameters(parameters: ["q": text, "n": 3], encoding: URLEncoding.default)
            case .order(let items): .requestJSONEncodable(items)
            case .upload: .uploadMultipart([MultipartFormData(provider: .data(Data([1])), name: "a")])
            }
        }
        var headers: [String: String]? { ["Accept": "application/json"] }
        var validationType: ValidationType { .successCodes }
    }

    private static let recording: HAR = {
        func entry(_ request: HAR.Request, _ status: Int, _ text: String, _ headers: [String: String] = [:])
            -> HAR.Entry
        {
            HAR.Entry(
                startedDateTime: Date(timeIntervalSince1970: 0),
                request: request,
                response: HAR.Response(
                    status: status,
                    headers: headers.map { HAR.Field(name: $0.key, value: $0.value) },
                    content: HAR.Content(size: Int64(text.utf8.count), mimeType: "application/json", text: text)
                )
            )
        }
        let base = "https://shop.example.com/v1"
        return HAR(entries: [
            entry(.get("\(base)/items/1"), 401, "who are you?"),
            entry(.get("\(base)/items/1"), 200, #"{"name":"lamp"}"#, ["ETag": "abc"]),
            entry(.get("\(base)/items/1"), 304, ""),
            entry(.get("\(base)/items/2"), 404, "gone"),
            entry(.get("\(base)/items/3"), 302, "", ["Location": "../items/1"]),
            entry(.get("\(base)/items/4"), 302, "", ["Location": "https://elsewhere.example.com/"]),
            entry(.get("\(base)/items/5"), 302, "", ["Location": "/v1/items/5"]),
            entry(.get("\(base)/items/6"), 0, ""),
            entry(.get("\(base)/search?n=3&q=red%20lamp"), 200, "[]"),
            entry(.post(#"{"lamp":1,"desk":2}"#, to: "\(base)/orders"), 201, "ordered"),
            entry(.post("--x--", type: "multipart/form-data; boundary=x", to: "\(base)/pictures"), 200, "uploaded"),
        ])
    }()

    private static func provider(_ stubs: HARStubs) -> MoyaProvider<Shop> {
        MoyaProvider(endpointClosure: stubs.endpointClosure, stubClosure: MoyaProvider.immediatelyStub)
    }

    private let provider = Self.provider(HARStubs(Self.recording))

    @Test("a target gets the recorded response with its headers from a HAR file")
    func answer() async throws {
        let response = try await provider.request(.item(1))
        #expect(response.statusCode == 200)
        #expect(try response.mapString(atKeyPath: "name") == "lamp")
        #expect(response.response?.value(forHTTPHeaderField: "ETag") == "abc")
        #expect(try await provider.request(.search("red lamp")).mapString() == "[]")
        #expect(try await provider.request(.order(["desk": 2, "lamp": 1])).mapString() == "ordered")
        #expect(try await provider.request(.upload).mapString() == "uploaded")
        #expect(try await provider.request(.item(1)).statusCode == 200, "each request is answered alone")
    }

    @Test("an endpoint keeps its timeout when its stub comes from a HAR file")
    func timeout() {
        let endpoint = Endpoint(
            url: "http://127.0.0.1/v1/items/1",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestPlain,
            timeoutInterval: 7
        )
        #expect(HARStubs(Self.recording).answering(endpoint).timeoutInterval == 7)
    }

    @Test("redirects to recorded URLs are followed, other redirects are returned, and a cycle of redirects ends")
    func redirects() async throws {
        let other = MoyaProvider<MultiTarget>(
            endpointClosure: HARStubs(Self.recording).endpointClosure,
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await provider.request(.item(3)).mapString(atKeyPath: "name") == "lamp")
        let statuses = [4, 5].map { Shop.item($0) }
        for target in statuses {
            let error = await #expect(throws: MoyaError.self) { try await other.request(MultiTarget(target)) }
            #expect(error?.response?.statusCode == 302)
        }
    }

    @Test("a recorded error status is validated, and a recorded failure fails the request")
    func failures() async throws {
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.item(2)) }
        #expect(error?.response?.statusCode == 404)
        let failure = await #expect(throws: MoyaError.self) { try await provider.request(.item(6)) }
        #expect(failure?.underlyingNSError?.code == URLError.Code.networkConnectionLost.rawValue)
    }

    @Test("a target without a recorded entry fails with an error that names the nearest entry")
    func missing() async throws {
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.order(["lamp": 7])) }
        let underlying = try #require(error?.underlyingNSError)
        #expect(underlying.domain == NSURLErrorDomain)
        #expect(underlying.code == URLError.Code.resourceUnavailable.rawValue)
        let cause = underlying.userInfo[NSUnderlyingErrorKey] as? HARMismatch
        #expect(
            cause?.differences == [
                .json(path: "$.desk", recorded: "2", actual: nil), .json(path: "$.lamp", recorded: "1", actual: "7"),
            ]
        )
        #expect(underlying.localizedDescription.contains("The nearest is entry 9, POST"))
    }

    @Test("an unreadable HAR file fails every stub")
    func noFile() async throws {
        let file = try TemporaryFolder().file("none.har")
        for stubs in [HARStubs(nil), HARStubs(file)] {
            let error = await #expect(throws: MoyaError.self) { try await Self.provider(stubs).request(.item(1)) }
            let cause = error?.underlyingNSError?.userInfo[NSUnderlyingErrorKey] as? HARError
            #expect(cause?.reason == .missing)
        }
    }

    @Test("a HAR file in a folder provides responses and sample data")
    func sampleData() async throws {
        let folder = try TemporaryFolder()
        try Self.recording.write(to: folder.file("demo.har"))
        let stubs = HARStubs(folder.file("demo.har"))
        #expect(stubs.sampleData(for: Shop.item(1)) == Data(#"{"name":"lamp"}"#.utf8))
        #expect(stubs.sampleData(for: Shop.item(99)).isEmpty)
        #expect(try await Self.provider(stubs).request(.item(1)).statusCode == 200)
    }

    @Test("a recording of another server is usable if the origin is not compared")
    func otherOrigin() {
        let har = HAR.answering(.get("http://127.0.0.1:8080/v1/items/1"))
        #expect(HARStubs(har).sampleData(for: Shop.item(1)).isEmpty)
        let matching = HARMatching(parts: HARMatching.Parts.all.subtracting(.origin))
        #expect(HARStubs(har, matching: matching).sampleData(for: Shop.item(1)) == Data("0".utf8))
    }
}

extension MoyaError {
    /// The underlying error as an NSError: on Linux an NSError of URLError's domain does not cast to URLError.
    fileprivate var underlyingNSError: NSError? {
        guard case .underlying(let error, _) = self else { return nil }
        return error as NSError
    }
}
