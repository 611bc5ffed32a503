import Foundation
import Moya
import TestServers
import TestSupport
import Testing

// This file has every line of the documentation's Swift blocks about responses and plugins, and the tests run them.

extension ReadmeTests {
    struct User: Decodable { var login: String }
    struct APIFailure: Decodable, Error { var message: String }

    /// Returns a provider whose stubs have this body and this status.
    private func provider(answering body: String, status: Int = 200) -> Moya.MoyaProvider<GitHub> {
        Moya.MoyaProvider<GitHub>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(status, Data(body.utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
    }

    @Test("the documentation's example of mappings runs")
    func mappings() async throws {
        do {
            let response = try await provider(answering: #"{"data": {"user": {"login": "ash"}}}"#).request(.zen)
            let json = try response.mapJSON()
            let user = try response.map(User.self, atKeyPath: "data.user")
            #expect((json as? [String: Any])?.keys.first == "data")
            #expect(user.login == "ash")
        }
        do {
            let list = try PropertyListEncoder().encode(["login": "ash"])
            let response = Response(statusCode: 200, data: list)
            let settings = try response.map(User.self, using: PropertyListDecoder())
            #expect(settings.login == "ash")
        }
        #if !canImport(UIKit) && !canImport(AppKit)
        do {
            let pixel = Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
            )
            let response = Response(statusCode: 200, data: try #require(pixel))
            let picture = try response.mapImage()
            #expect(picture.format == .png)
        }
        #endif
    }

    @Test("the documentation's example of error bodies runs")
    func errorBodies() async throws {
        let provider = provider(answering: #"{"message": "No such user."}"#, status: 404)
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        do {
            let user = try await provider.request(.user, orThrow: APIFailure.self).map(User.self)
            print(user.login)
        } catch MoyaError.underlying(let failure as APIFailure, _) {
            print(failure.message)
        }
        #expect(printed == ["No such user."])
    }

    @Test("the documentation's example of an error body with a key path and a decoder runs")
    func datedErrorBody() async throws {
        struct Refusal: Decodable, Error {
            var reason: String
            var occurredAt: Date
        }
        let body = #"{"error": {"reason": "Too late.", "occurred_at": "2026-01-01T00:00:00Z"}}"#
        let provider = provider(answering: body, status: 422)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        do {
            let user = try await provider.request(.user, orThrow: Refusal.self, atKeyPath: "error", using: decoder)
            Issue.record("\(user)")
        } catch MoyaError.underlying(let failure as Refusal, _) {
            #expect(failure.reason == "Too late.")
            #expect(failure.occurredAt == Date(timeIntervalSince1970: 1_767_225_600))
        }
    }

    @Test("the documentation's example of the built-in plugins runs")
    func builtInPlugins() async throws {
        let indicator = Recorder<NetworkActivityChangeType>()
        let logged = Recorder<[String]>()
        let logger = NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))
        logger.configuration.output = { _, items in logged.add(items) }
        @Sendable func print(_ change: NetworkActivityChangeType, _ path: String) { indicator.add(change) }
        let activity = NetworkActivityPlugin { change, target in print(change, target.path) }
        let observed = MoyaProvider<GitHub>(plugins: [logger, activity])
        #expect(try await observed.request(.zen).statusCode == 200)
        #expect(indicator.values == [.began, .ended])
        #expect(logged.values.count == 2)
    }

    @Test("the documentation's example of an async token runs")
    func asyncToken() async throws {
        @Sendable
        func loadToken() async throws -> String { "token" }
        let interceptor = AccessTokenInterceptor { _ in try await loadToken() }
        let provider = Moya.MoyaProvider<GitHub>(
            session: Session(
                transport: FakeTransport { request in
                    TransportResponse(status: request.headers[.authorization] == "Bearer token" ? 200 : 401)
                }
            ),
            interceptor: interceptor
        )
        #expect(try await provider.request(.zen).statusCode == 200)
    }

    @Test("the documentation's examples of errors without a pattern, and of nested parameters, run")
    func errorsAndParameters() async throws {
        let provider = provider(answering: #"{"login":"ash"}"#)
        do {
            let user = try await provider.request(.user).filterSuccessfulStatusCodes().map(User.self)
            print(user.login)
        } catch {
            print(error.isTimeout ? "The server is slow." : error.localizedDescription)
        }
        let nested: HTTPTask = .requestParameters(
            parameters: ["name": "Ash", "address": ["city": "Pallet", "number": 1] as [String: any Sendable]],
            encoding: JSONEncoding.default
        )
        guard case .requestParameters(let parameters, _) = nested else {
            Issue.record("\(nested)")
            return
        }
        #expect(parameters.keys.sorted() == ["address", "name"])
    }
}
