import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An authenticator has default behavior")
struct AuthenticatorTests {
    /// An authenticator with a custom criterion for failures, which records the statuses of its calls.
    private struct Own: Authenticator {
        let asked = Locked<[Int]>([])

        func apply(_ credential: Token, to urlRequest: inout URLRequest) {
            urlRequest.setValue("\(credential.number)", forHTTPHeaderField: "Token")
        }
        func didRequest(
            _ urlRequest: URLRequest,
            with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool {
            asked.withLock { $0.append(response.statusCode) }
            return response.value(forHTTPHeaderField: "X-Expired") == "yes" && error is UnacceptableStatusError
        }
    }

    private func attempt(_ status: Int, error: (any Error)? = nil) -> RequestAttempt {
        RequestAttempt(
            request: .some(),
            outcome: .response(status: status, headers: [HTTPField.Name("X-Expired") ?? .age: "yes"]),
            error: error
        )
    }

    @Test(
        "an authenticator gets statuses from 400 to 499, validated or not, and all unacceptable statuses",
        arguments: [
            (200, false, false), (302, false, false), (399, false, false), (400, false, true), (401, false, true),
            (419, false, true), (499, false, true), (500, false, false), (200, true, true), (500, true, true),
        ]
    )
    func asked(status: Int, isRefused: Bool, isAsked: Bool) {
        let own = Own()
        let error = isRefused ? UnacceptableStatusError(status: status) : nil
        #expect(own.didRefuse(attempt(status, error: error)) == isAsked)
        #expect(own.asked.withLock { $0 } == (isAsked ? [status] : []))
    }

    @Test("an authenticator does not get a failure without a response")
    func failure() {
        let own = Own()
        #expect(!own.didRefuse(RequestAttempt(request: .some(), outcome: .failure(URLError(.timedOut)))))
        #expect(own.asked.withLock { $0 }.isEmpty)
    }

    @Test("a request contains the credential if applying the credential changes nothing")
    func isRequest() {
        let own = Own()
        #expect(own.isRequest(.some(token: 1), authenticatedWith: Token(number: 1)))
        #expect(!own.isRequest(.some(token: 2), authenticatedWith: Token(number: 1)))
        #expect(!own.isRequest(.some(), authenticatedWith: Token(number: 1)))
    }

    @Test("only the first call of a refresh's completion has an effect")
    func completion() async throws {
        struct Chatty: Authenticator {
            func apply(_ credential: Token, to urlRequest: inout URLRequest) {}
            func refresh(
                _ credential: Token,
                for session: Session,
                completion: @escaping @Sendable (Result<Token, any Error>) -> Void
            ) {
                completion(.success(Token(number: 2)))
                completion(.failure(RefreshFailure()))
            }
        }
        let token = try await Chatty().refresh(Token(number: 1), for: .fake)
        #expect(token == Token(number: 2))
    }
}
