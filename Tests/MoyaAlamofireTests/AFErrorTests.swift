import Alamofire
import Foundation
import Moya
import TestServers
import Testing

@Suite("AFError can be read, matched and thrown")
struct AFErrorTests {
    struct Own: Error, Equatable {}

    struct Rejected: TargetType {
        let baseURL: URL
        var path = ""
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var validationType: ValidationType { .successCodes }
    }

    /// An encoding of an application, which throws Alamofire's error.
    struct Refusing: ParameterEncoding {
        @available(*, deprecated)
        static func failure() -> Error { AFError.parameterEncodingFailed(reason: .customEncodingFailed(error: Own())) }

        let error: Error

        func encode(_ urlRequest: URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
            throw error
        }
    }

    struct Reading: DeprecatedCode {
        @available(*, deprecated)
        func check() {
            let lost: Error = URLError(.networkConnectionLost)
            #expect(lost.asAFError?.isSessionTaskError == true)
            #expect((lost.asAFError?.underlyingError as? URLError)?.code == .networkConnectionLost)
            #expect(lost.asAFError?.isExplicitlyCancelledError == false)
            let cancelled: Error = URLError(.cancelled)
            #expect(cancelled.asAFError?.isExplicitlyCancelledError == true)
            let rejected: Error = MoyaError.statusCode(Response(statusCode: 401, data: Data()))
            #expect(rejected.asAFError?.responseCode == 401)
            #expect((UnacceptableStatusError(status: 418) as Error).asAFError?.responseCode == 418)
            #expect((RequestValidationError.bodyNotAllowed(method: "GET") as Error).asAFError?.responseCode == nil)
            if case .urlRequestValidationFailed? = (RequestValidationError.bodyNotAllowed(method: "GET") as Error)
                .asAFError
            {
            } else {
                Issue.record("A body of GET is another error.")
            }
            let exists: Error = DownloadError.fileExists(URL(fileURLWithPath: "/a"))
            #expect(
                exists.asAFError?.destinationURL?.path == "/a" && exists.asAFError?.isDownloadedFileMoveError == true
            )
            #expect((Own() as Error).asAFError == nil)
            #expect((DownloadError.diskFull(URL(fileURLWithPath: "/a")) as Error).asAFError == nil)
        }
    }

    struct Switching: DeprecatedCode {
        @available(*, deprecated)
        func check() {
            let errors: [AFError] = [
                .requestRetryFailed(retryError: Own(), originalError: URLError(.timedOut)), .explicitlyCancelled,
                .sessionTaskFailed(error: Own()), .invalidURL(url: "a b"),
                .responseValidationFailed(reason: .unacceptableStatusCode(code: 404)),
            ]
            let found: [String] = errors.map { (error: Error) in
                switch error {
                case AFError.requestRetryFailed(let retryError, _): return "retry \(retryError)"
                case AFError.explicitlyCancelled: return "cancelled"
                case AFError.responseValidationFailed(reason: .unacceptableStatusCode(let code)):
                    return "status \(code)"
                case let error as AFError where error.isInvalidURLError: return error.localizedDescription
                default: return "other"
                }
            }
            #expect(found == ["retry Own()", "cancelled", "other", "\"a b\" is not a URL.", "status 404"])
        }
    }

    @Test("asAFError returns the corresponding error of Alamofire")
    func reading() throws { try check(Reading()) }

    @Test("an application can switch over an AFError")
    func switching() throws { try check(Switching()) }

    struct Throwing: DeprecatedCode {
        @available(*, deprecated)
        func check() throws {
            let encoding = Refusing(error: Refusing.failure())
            let endpoint = Endpoint(
                url: "https://shop.test",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .get,
                task: .requestParameters(parameters: ["a": 1], encoding: encoding),
                httpHeaderFields: nil
            )
            do {
                _ = try endpoint.urlRequest()
                Issue.record("The encoding's error is lost.")
            } catch MoyaError.parameterEncoding(let error as AFError) {
                #expect(error.isParameterEncodingError && error.underlyingError as? Own == Own())
            }
        }
    }

    @Test("the error of a parameter encoding arrives unchanged")
    func throwing() throws { try check(Throwing()) }

    struct Received: DeprecatedCode {
        let error: MoyaError

        @available(*, deprecated)
        func check() {
            guard case .underlying(let error, let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.asAFError?.responseCode == 503 && response?.statusCode == 503)
            #expect(error.asAFError?.isResponseValidationError == true)
        }
    }

    @Test("the error for a status that a target does not accept contains the status")
    func status() async throws {
        let server = try await StubServer(["/": StubServer.Response(status: "503 Service Unavailable")])
        do {
            _ = try await MoyaProvider<Rejected>().request(Rejected(baseURL: server.url("/")))
            Issue.record("The status was accepted.")
        } catch {
            try check(Received(error: error))
        }
        await server.shutDown()
    }
}

/// Code that uses deprecated names in a deprecated function, where they cause no warning.
protocol DeprecatedCode {
    func check() throws
}

/// Runs code with deprecated names.
func check(_ code: DeprecatedCode) throws { try code.check() }
