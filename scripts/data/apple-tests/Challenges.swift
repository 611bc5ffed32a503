import Foundation
import FoundationNetworking
import Security

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

/// Creates challenges like URLSession's.
enum Challenges {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    /// Returns the response to a challenge of a protection space.
    static func disposition(
        _ space: URLProtectionSpace,
        _ settings: URLSessionSettings,
        users: ProxyUsers = ProxyUsers(),
        failures: Int = 0,
        url: URL?
    ) async -> URLSessionTrust.Disposition {
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: failures,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
        return await withCheckedContinuation { continuation in
            // The disposition is in a box, because its credential is not Sendable.
            URLSessionTrust.respond(to: challenge, settings, users: users, url: url) { disposition in
                continuation.resume(returning: Box(disposition))
            }
        }.value
    }

    private struct Box: @unchecked Sendable {
        let value: URLSessionTrust.Disposition
        init(_ value: URLSessionTrust.Disposition) { self.value = value }
    }
}
