import Foundation
import Moya

// Requests that a server rejects.
extension DemoStep {
    static let token = DemoStep(
        "A bearer token, from a plugin",
        code: "MoyaProvider<GitHub>(plugins: [AccessTokenPlugin { _ in token }]).request(.currentUser)",
        expecting: "the user whose token it is"
    ) { demo in
        let user = try await demo.providers.authorized.request(.currentUser).filterSuccessfulStatusCodes()
            .map(User.self)
        return Finding("\(user)", isAsExpected: user.login == DemoData.owner.login)
    }

    static let noToken = DemoStep(
        "The same without the token",
        code: "MoyaProvider<GitHub>().request(.currentUser).mapJSON()",
        expecting: "401, a challenge, and the reason as JSON"
    ) { demo in
        let response = try await demo.providers.github.request(.currentUser)
        let json = try response.mapJSON() as? [String: Any]
        let challenge = response.response?.headers["WWW-Authenticate"]
        return Finding(
            "\(json ?? [:])",
            isAsExpected: response.statusCode == 401 && challenge?.hasPrefix("Bearer") == true
                && json?["message"] is String
        )
    }

    static let validationFailure = DemoStep(
        "A status that the target does not accept",
        code: "var validationType: ValidationType { .successCodes }",
        expecting: "an error that has the response: 500, and its body"
    ) { demo in
        do throws(MoyaError) {
            let response = try await demo.providers.github.request(.broken)
            return Finding("no error, but \(response.description)", isAsExpected: false)
        } catch {
            guard case .underlying(MoyaError.statusCode, let response?) = error else { throw error }
            let message = try response.mapString(atKeyPath: "message")
            return Finding(
                "\(ErrorText(error)) The body says \(message.debugDescription)",
                isAsExpected: response.statusCode == 500 && !message.isEmpty
            )
        }
    }
}
