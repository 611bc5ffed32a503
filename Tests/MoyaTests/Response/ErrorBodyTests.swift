import Foundation
import Moya
import Testing

@Suite("Error bodies are decoded")
struct ErrorBodyTests {
    struct APIFailure: Codable, Error, Equatable {
        var code: Int
        var message: String
    }

    static let failure = APIFailure(code: 7, message: "no")
    static let body = #"{"code":7,"message":"no"}"#
    /// Bodies that do not decode as the failure.
    static let otherBodies = ["", "<html>502</html>", "{}", "[]", #"{"code":"7","message":"no"}"#, #"{"code":7"#]

    private func response(_ statusCode: Int, _ body: String = Self.body) -> Response {
        Response(statusCode: statusCode, data: Data(body.utf8))
    }

    private func expectFailure(
        _ error: MoyaError?,
        of response: Response?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .underlying(let failure as APIFailure, let refused) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(failure == Self.failure, sourceLocation: sourceLocation)
        #expect(refused == response, sourceLocation: sourceLocation)
    }

    @Test("a successful response is returned by the error filter for any body", arguments: [200, 204, 299])
    func success(statusCode: Int) throws {
        for response in [response(statusCode), response(statusCode, "")] {
            #expect(try response.filterSuccessfulStatusCodes(orThrow: APIFailure.self) === response)
        }
        let value = try response(200).filterSuccessfulStatusCodes(orThrow: APIFailure.self).map(APIFailure.self)
        #expect(value == Self.failure)
    }

    @Test(
        "every unsuccessful status throws the decoded error body",
        arguments: [100, 199, 300, 304, 400, 404, 422, 500, 599]
    )
    func failure(statusCode: Int) {
        let response = response(statusCode)
        let error = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: APIFailure.self)
        }
        expectFailure(error, of: response)
    }

    @Test("an error body that does not decode as the error type causes .statusCode", arguments: otherBodies)
    func otherBody(body: String) {
        let response = response(500, body)
        let error = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes(orThrow: APIFailure.self)
        }
        #expect(error?.name == "statusCode")
        #expect(error?.response == response && error?.statusCode == 500)
        #expect(error?.localizedDescription.contains("does not decode as APIFailure.") == true)
    }

    @Test("a decoded error can be caught by its type, and has its text")
    func catching() throws {
        struct Named: Decodable, LocalizedError {
            var message: String
            var errorDescription: String? { message }
        }
        do {
            try response(400).filterSuccessfulStatusCodes(orThrow: Named.self)
            Issue.record("nothing was thrown")
        } catch MoyaError.underlying(let failure as Named, let response?) {
            #expect(failure.message == "no")
            #expect(response.statusCode == 400)
        }
        let error = #expect(throws: MoyaError.self) {
            try response(400).filter(statusCodes: ..<300, orThrow: Named.self)
        }
        #expect(error?.localizedDescription == "no")
    }

    @Test("the status codes that cause no error body can be set")
    func otherCodes() throws {
        let notModified = response(304)
        #expect(try notModified.filter(statusCodes: 200..<400, orThrow: APIFailure.self) === notModified)
        let error = #expect(throws: MoyaError.self) {
            try notModified.filter(statusCodes: ..<300, orThrow: APIFailure.self)
        }
        expectFailure(error, of: notModified)
    }

    @Test("an error body may be at a key path and in another format")
    func keyPathAndDecoder() throws {
        let nested = response(400, #"{"error":{"details":\#(Self.body)}}"#)
        let error = #expect(throws: MoyaError.self) {
            try nested.filterSuccessfulStatusCodes(orThrow: APIFailure.self, atKeyPath: "error.details")
        }
        expectFailure(error, of: nested)
        let missing = #expect(throws: MoyaError.self) {
            try nested.filterSuccessfulStatusCodes(orThrow: APIFailure.self, atKeyPath: "error.detail")
        }
        #expect(missing?.name == "statusCode")
        let list = Response(statusCode: 400, data: try PropertyListEncoder().encode(Self.failure))
        let listed = #expect(throws: MoyaError.self) {
            try list.filterSuccessfulStatusCodes(orThrow: APIFailure.self, using: PropertyListDecoder())
        }
        expectFailure(listed, of: list)
    }

    @Test("a result is filtered for error bodies in the same way as a response")
    func result() throws {
        let good = try Result<Response, MoyaError>.success(response(200))
            .filterSuccessfulStatusCodes(orFailWith: APIFailure.self).get()
        #expect(good.statusCode == 200)
        let bad = response(400)
        let error = #expect(throws: MoyaError.self) {
            try Result<Response, MoyaError>.success(bad).filterSuccessfulStatusCodes(orFailWith: APIFailure.self).get()
        }
        expectFailure(error, of: bad)
        let other = #expect(throws: MoyaError.self) {
            try Result<Response, MoyaError>.success(response(400, "")).filterSuccessfulStatusCodes(
                orFailWith: APIFailure.self
            ).get()
        }
        #expect(other?.name == "statusCode")
    }

    @Test("the error body of a response that was refused before is decoded")
    func refusedResult() {
        let bad = response(400)
        for error in [MoyaError.statusCode(bad), .underlying(MoyaError.statusCode(bad), bad)] {
            let thrown = #expect(throws: MoyaError.self) {
                try Result<Response, MoyaError>.failure(error).filterSuccessfulStatusCodes(orFailWith: APIFailure.self)
                    .get()
            }
            expectFailure(thrown, of: bad)
        }
    }

    @Test("every failure without an error body stays unchanged")
    func otherFailures() {
        let (bad, good) = (response(400), response(200))
        let failures: [MoyaError] = [
            .underlying(URLError(.networkConnectionLost), bad), .underlying(URLError(.timedOut), nil),
            .jsonMapping(bad), .requestMapping("url"), .underlying(MoyaError.statusCode(good), good), .statusCode(good),
        ]
        for failure in failures {
            let error = #expect(throws: MoyaError.self) {
                try Result<Response, MoyaError>.failure(failure).filterSuccessfulStatusCodes(
                    orFailWith: APIFailure.self
                ).get()
            }
            #expect(error.map { "\($0)" } == "\(failure)")
        }
    }

    @Test("the error of a refused response with another body keeps its case, and its text gives the reason")
    func undecodableRefusal() throws {
        let other = response(500, "{}")
        for failure in [MoyaError.statusCode(other), .underlying(MoyaError.statusCode(other), other)] {
            let error = #expect(throws: MoyaError.self) {
                try Result<Response, MoyaError>.failure(failure)
                    .filterSuccessfulStatusCodes(orFailWith: APIFailure.self).get()
            }
            #expect(error?.name == failure.name && error?.response == other)
            if case .underlying = failure {
                guard case .underlying(MoyaError.statusCode(let inner), let outer?) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(inner === outer)
            }
            #expect(
                error?.localizedDescription
                    == "The status code 500 is not accepted. The body does not decode as APIFailure. The value at code is "
                    + "missing: the object is empty. Body: {}"
            )
        }
    }

    @Test("an awaited request throws the decoded error body, with and without validation", arguments: [false, true])
    func awaited(validates: Bool) async throws {
        func provider(_ statusCode: Int, _ body: String) -> MoyaProvider<SomeTarget> {
            MoyaProvider(
                endpointClosure: { target in
                    Endpoint(
                        url: "http://127.0.0.1:9/",
                        sampleResponseClosure: { .networkResponse(statusCode, Data(body.utf8)) },
                        method: .get,
                        task: target.task,
                        httpHeaderFields: nil
                    )
                },
                stubClosure: MoyaProvider.immediatelyStub
            )
        }
        let target = SomeTarget(validationType: validates ? .successCodes : .none)
        let good = try await provider(200, "body").request(target, orThrow: APIFailure.self)
        #expect(good.data == Data("body".utf8))

        let bad = await #expect(throws: MoyaError.self) {
            try await provider(422, Self.body).request(target, orThrow: APIFailure.self)
        }
        #expect(bad?.response?.statusCode == 422)
        expectFailure(bad, of: bad?.response)

        let other = await #expect(throws: MoyaError.self) {
            try await provider(502, "<html>").request(target, orThrow: APIFailure.self)
        }
        #expect(other?.response?.statusCode == 502)
        #expect(other?.name == (validates ? "underlying" : "statusCode"))
        #expect(
            other?.localizedDescription
                == "GET http://127.0.0.1:9/ returned the status code 502, which is not accepted. The body does not decode as "
                + "APIFailure. Body: <html>"
        )

        let nested = await #expect(throws: MoyaError.self) {
            try await provider(422, #"{"error":\#(Self.body)}"#)
                .request(target, orThrow: APIFailure.self, atKeyPath: "error", using: JSONDecoder())
        }
        expectFailure(nested, of: nested?.response)
    }

    @Test("a cancelled request with an error type throws URLError.cancelled")
    func cancelled() async {
        let provider = MoyaProvider<SomeTarget>(stubClosure: MoyaProvider.delayedStub(60))
        let task = _Concurrency.Task {
            try await provider.request(SomeTarget(), orThrow: APIFailure.self)
        }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        guard case .underlying(let reason as URLError, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.code == .cancelled)
    }
}
