import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The text of every failure names the request")
struct FailureTextTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let base = URL(string: "http://api.example.com") ?? URL(fileURLWithPath: "/")
    private static let target = TaskTarget(
        baseURL: base,
        path: "/users",
        method: .get,
        task: .requestParameters(parameters: ["page": 2, "api_key": "s3cr3t-k3y-1234"], encoding: URLEncoding.default)
    )
    private static let line = "GET http://api.example.com/users?api_key=***&page=2"

    private func error(_ provider: Provider, _ target: TaskTarget = target) async -> MoyaError? {
        let result = Promise<Result<Response, MoyaError>>()
        provider.request(target, callbackQueue: .global()) { result.fulfill($0) }
        if case .failure(let error) = await result.wait() { return error }
        return nil
    }

    private func awaitedError(_ provider: Provider, _ target: TaskTarget = target) async -> MoyaError? {
        do {
            _ = try await provider.request(target)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Exchanges

    @Test(
        "the error of a failed exchange has the method and the URL before the cause, with secrets masked",
        arguments: [URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .cancelled]
    )
    func exchange(_ code: URLError.Code) async {
        let cause = URLError(code, userInfo: [NSLocalizedDescriptionKey: "The cause."])
        let provider = Provider(session: Session(FakeTransport { _ in throw cause }))
        for error in [await error(provider), await awaitedError(provider)] {
            #expect(error?.localizedDescription == "\(Self.line): The cause.")
            #expect(error?.urlError?.code == code)
        }
        do {
            _ = try await provider.stream(Self.target)
            Issue.record("no error")
        } catch {
            #expect(error.localizedDescription == "\(Self.line): The cause.")
        }
    }

    @Test("the text of a failure has the method and the URL of the sent request, not of the target")
    func sentRequest() async {
        struct Plugin: PluginType {
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                var request = request
                request.httpMethod = "PUT"
                request.url = URL(string: "http://other.example.com/x")
                return request
            }
        }
        let transport = FakeTransport { _ in
            throw URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The cause."])
        }
        let provider = Provider(session: Session(transport), plugins: [Plugin()])
        #expect(await error(provider)?.localizedDescription == "PUT http://other.example.com/x: The cause.")
    }

    @Test("the error of a cancelled request names the request before its mapping, while it runs, and as a stub")
    func cancelled() async {
        let kept = Recorder<Provider.RequestResultClosure>()
        let held = Provider(requestClosure: { _, done in kept.add(done) })
        let waiting = Provider(
            session: Session(
                FakeTransport { _ in
                    let never = Promise<Void>()
                    await withTaskCancellationHandler {
                        await never.wait()
                    } onCancel: {
                        never.fulfill(())
                    }
                    throw URLError(.cancelled)
                }
            )
        )
        let delayed = Provider(stubClosure: Provider.delayedStub(3_600))
        for provider in [waiting, delayed] {
            let result = Promise<Result<Response, MoyaError>>()
            let token = provider.request(Self.target, callbackQueue: .global()) { result.fulfill($0) }
            token.cancel()
            guard case .failure(let error) = await result.wait() else {
                Issue.record("no failure")
                continue
            }
            #expect(error.isCancelled)
            #expect(error.localizedDescription == "\(Self.line): The request was cancelled.")
        }
        // Without a request the text names the endpoint, whose parameters are not encoded.
        let reader = Task { await awaitedError(held) }
        reader.cancel()
        #expect(
            await reader.value?.localizedDescription == "GET http://api.example.com/users: The request was cancelled."
        )
    }

    // MARK: Bodies

    private func response(
        _ body: String,
        status: Int = 200,
        type: String? = "application/json",
        url: String = "https://h/u?token=s3cr3t-t0k3n-99"
    ) throws -> Response {
        let url = try #require(URL(string: url))
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
        return Response(statusCode: status, data: Data(body.utf8), request: URLRequest(url: url), response: head)
    }

    private struct Item: Decodable { var foo: Int }
    private struct List: Decodable { var items: [Item] }

    static let bodies: [(String, String)] = [
        (#"{"foo":123.45}"#, "The value at foo is 123.45, which is not valid for its type."),
        (
            #"{"foo":99999999999999999999}"#,
            "The value at foo is 99999999999999999999, which is not valid for its type."
        ),
        (#"{"foo":"a"}"#, #"The value at foo is "a", and not of the type Int."#),
        (#"{"foo":true}"#, "The value at foo is true, and not of the type Int."),
        (#"{"foo":[1,2]}"#, "The value at foo is an array with 2 elements, and not of the type Int."),
        (#"{"foo":{"b":1,"a":2}}"#, "The value at foo is an object with a, b, and not of the type Int."),
        (#"{"foo":null}"#, "The value at foo is null."),
        (#"{"bar":1}"#, "The value at foo is missing: the object has bar."),
        ("{}", "The value at foo is missing: the object is empty."),
        ("[]", "The value is an array with 0 elements, and not of the type Dictionary<String, Any>."),
    ]

    @Test("the text of a failure shows a value that cannot be decoded, with its path", arguments: bodies)
    func place(_ body: String, _ end: String) throws {
        let response = try response(body)
        let error = #expect(throws: MoyaError.self) { try response.map(Item.self) }
        #expect(
            error?.localizedDescription
                == "GET https://h/u?token=*** (200, application/json): Failed to map data to a Decodable object. \(end)"
        )
    }

    @Test("a number that its type cannot represent is found among many values, with any decoder settings")
    func oneOfMany() throws {
        let numbers = (0..<500).map { #"{"foo":\#($0 == 321 ? "1.5" : "\($0 * 1_000)")}"# }.joined(separator: ",")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for decoder in [decoder, JSONDecoder()] {
            let response = try response(#"{"items":[\#(numbers)]}"#)
            let error = #expect(throws: MoyaError.self) { try response.map(List.self, using: decoder) }
            #expect(error?.localizedDescription.contains("The value at items.321.foo is 1.5, which") == true)
            guard case .objectMapping(DecodingError.dataCorrupted(let context), _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(
                context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue } == ["items", "321", "foo"]
            )
            #expect(context.underlyingError is DecodingError)
        }
    }

    @Test("a secret value is masked in the text of a failure")
    func secrets() throws {
        struct Login: Decodable { var password: Int }
        let response = try response(#"{"password":"hunter2-hunter2"}"#)
        let error = #expect(throws: MoyaError.self) { try response.map(Login.self) }
        #expect(error?.localizedDescription.contains("hunter2") == false)
        #expect(error?.localizedDescription.contains("The value at password is ") == true)
    }

    @Test("the text of a failure shows a body that is not JSON, such as a proxy's page, with status and content type")
    func page() throws {
        let page = try response("<!doctype html>\n<title>Not Found</title>", status: 404, type: "text/html")
        let head = "GET https://h/u?token=*** (404, text/html): "
        let body = " Body: <!doctype html> <title>Not Found</title>"
        let object = #expect(throws: MoyaError.self) { try page.map(Item.self) }
        #expect(
            object?.localizedDescription
                == "\(head)Failed to map data to a Decodable object. The data is not valid.\(body)"
        )
        for map in [
            { try $0.mapJSON() }, { try $0.map(Item.self, atKeyPath: "a") }, { try $0.mapString(atKeyPath: "a") },
        ]
            as [(Response) throws -> Any]
        {
            let error = #expect(throws: MoyaError.self) { try map(page) }
            #expect(error?.localizedDescription == "\(head)Failed to map data to JSON.\(body)")
        }
    }

    @Test("the text of a failure shows a key path whose value is missing, null or of another type")
    func keyPath() throws {
        let response = try response(#"{"data":{"none":null,"list":[{"foo":"a"}],"text":5}}"#)
        let head = "GET https://h/u?token=*** (200, application/json): "
        func text(_ map: () throws -> Any) -> String? {
            (#expect(throws: MoyaError.self) { try map() })?.localizedDescription
        }
        #expect(
            text { try response.map(Item.self, atKeyPath: "data.missing") }
                == head + #"Failed to map data to JSON. Nothing is at the key path "data.missing"."#
        )
        #expect(
            text { try response.map(Item.self, atKeyPath: "data.none") }
                == head + "Failed to map data to a Decodable object. The value at data.none is null."
        )
        #expect(
            text { try response.map([Item].self, atKeyPath: "data.list") }
                == head
                + #"Failed to map data to a Decodable object. The value at data.list.0.foo is "a", and not of the type Int."#
        )
        #expect(
            text { try response.mapString(atKeyPath: "data.missing") }
                == head + #"Failed to map data to a String. Nothing is at the key path "data.missing"."#
        )
        #expect(
            text { try response.mapString(atKeyPath: "data.text") }
                == head + #"Failed to map data to a String. The value at the key path "data.text" is not a string."#
        )
    }

    private struct APIFailure: Decodable, Error { var message: String }
    private struct Described: Decodable, LocalizedError {
        var message: String
        var errorDescription: String? { message }
    }
    private struct Printed: Decodable, Error, CustomStringConvertible {
        var message: String
        var description: String { "<\(message)>" }
    }

    @Test("the text of a failure names the type of the error in a body, with status and URL")
    func errorBody() throws {
        let response = try response(#"{"message":"No such user."}"#, status: 404)
        let head = "GET https://h/u?token=*** (404, application/json): The body has the error "
        let plain = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: APIFailure.self)
        }
        #expect(plain?.localizedDescription == head + #"APIFailure. Body: {"message":"No such user."}"#)
        let described = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: Described.self)
        }
        #expect(described?.localizedDescription == head + "Described: No such user.")
        let printed = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: Printed.self)
        }
        #expect(printed?.localizedDescription == head + "Printed: <No such user.>")
        let secret = try self.response(#"{"message":"a","password":"hunter2-hunter2"}"#, status: 404)
        let masked = #expect(throws: MoyaError.self) {
            try secret.filterSuccessfulStatusCodes(orThrow: APIFailure.self)
        }
        #expect(masked?.localizedDescription == head + #"APIFailure. Body: {"message":"a","password":"***"}"#)
    }

    private struct Coded: Decodable, Error { var code: Int }

    /// Bodies, their content types and key paths, and the expected text.
    private static let otherBodies: [(body: String, type: String, keyPath: String?, text: String)] = [
        (
            #"{"code":"7"}"#, "application/json", nil,
            #"The body does not decode as Coded. The value at code is "7", and not of the type Int. Body: {"code":"7"}"#
        ),
        (
            #"{"message":"no"}"#, "application/json", nil,
            "The body does not decode as Coded. The value at code is missing: the object has message. Body: "
                + #"{"message":"no"}"#
        ),
        (
            #"{"error":{"message":"no"}}"#, "application/json", "error",
            "The body does not decode as Coded. The value at error.code is missing: the object has message. Body: "
                + #"{"error":{"message":"no"}}"#
        ),
        (
            #"{"code":7}"#, "application/json", "error",
            #"The body does not decode as Coded. Nothing is at the key path "error". Body: {"code":7}"#
        ),
        (
            #"{"code":"7","password":"hunter2-hunter2"}"#, "application/json", nil,
            #"The body does not decode as Coded. The value at code is "7", and not of the type Int. Body: "#
                + #"{"code":"7","password":"***"}"#
        ),
        ("<p>502</p>", "text/html", nil, "The body does not decode as Coded. Body: <p>502</p>"),
        ("<p>502</p>", "text/html", "error", "The body does not decode as Coded. Body: <p>502</p>"),
        ("", "text/plain", nil, "The body is empty, and does not decode as Coded."),
    ]

    @Test(
        "the text of a failure shows a body that is not the expected error, with the type and the path",
        arguments: 0..<otherBodies.count
    )
    func otherErrorBody(index: Int) throws {
        let row = Self.otherBodies[index]
        let response = try response(row.body, status: 422, type: row.type)
        let head = "GET https://h/u?token=*** returned the status code 422, which is not accepted. "
        let refused: [Result<Response, MoyaError>] = [
            .success(response), .failure(.statusCode(response)),
            .failure(.underlying(MoyaError.statusCode(response), response)),
        ]
        for result in refused {
            let error = #expect(throws: MoyaError.self) {
                try result.filterSuccessfulStatusCodes(orFailWith: Coded.self, atKeyPath: row.keyPath).get()
            }
            #expect(error?.localizedDescription == head + row.text)
            #expect(error?.statusCode == 422)
        }
    }

    @Test("the text of a failure quotes a decoder's error")
    func otherDecoder() throws {
        struct Refusal: LocalizedError { var errorDescription: String? { "The third line is not valid." } }
        struct Strict: ResponseDecoder {
            func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { throw Refusal() }
        }
        let response = try response("a", status: 500, type: "text/plain")
        let error = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: Coded.self, using: Strict())
        }
        #expect(
            error?.localizedDescription.hasSuffix("does not decode as Coded. The third line is not valid. Body: a")
                == true
        )
    }

    @Test("an authentication error without a response names the request")
    func authentication() async {
        struct Keys: Authenticator {
            struct Key: AuthenticationCredential { var requiresRefresh = true }
            func apply(_ credential: Key, to urlRequest: inout URLRequest) {}
        }
        let missing = AuthenticationInterceptor(authenticator: Keys())
        let notImplemented = AuthenticationInterceptor(authenticator: Keys(), credential: Keys.Key())
        let excessive = AuthenticationInterceptor(
            authenticator: Keys(),
            credential: Keys.Key(),
            refreshWindow: RefreshWindow(interval: 30, maximumAttempts: 0)
        )
        let rows: [(any RequestInterceptor, AuthenticationError, String)] = [
            (missing, .missingCredential, "There is no credential"),
            (notImplemented, .refreshNotImplemented, "The authenticator cannot refresh"),
            (excessive, .excessiveRefresh, "The credential was refreshed 0 times within 30 s"),
        ]
        for (interceptor, reason, text) in rows {
            let provider = Provider(session: Session(transport: FakeTransport.body(""), interceptor: interceptor))
            for error in [await error(provider), await awaitedError(provider)] {
                guard case .underlying(let failure as AuthenticationError, nil) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(failure == reason)
                #expect(error?.localizedDescription.hasPrefix("\(Self.line): \(text)") == true)
                #expect(failure.localizedDescription.hasPrefix(text))
            }
            do {
                _ = try await provider.stream(Self.target)
                Issue.record("no error")
            } catch MoyaError.underlying(reason, nil) {
                // The error can be matched by its value.
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test("the text of a failure shows an invalid URL")
    func invalidURL() throws {
        #expect(
            MoyaError.requestMapping("some invalid URL").localizedDescription
                == #"Failed to map Endpoint to a URLRequest. The URL "some invalid URL" is not valid."#
        )
    }
}
