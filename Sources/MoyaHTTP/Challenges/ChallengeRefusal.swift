import Foundation

/// The reason why the client does not respond to a challenge.
package enum ChallengeRefusal: Error, Equatable, Sendable {
    /// The response has no challenge that can be parsed.
    case noChallenge
    /// None of the schemes, or none of the Digest algorithms, is supported.
    case unsupportedSchemes([String])
    /// The server rejected the credential.
    case credentialRefused(scheme: String)
    /// The scheme cannot represent the credential.
    case invalidCredential(CredentialError)
    /// The body would have to be sent twice, or hashed first, but is not repeatable.
    ///
    /// Reported by the sender of the request.
    case bodyNotRepeatable

    /// Creates a refusal for challenges that are not supported; the number and length of the names it keeps are
    /// limited.
    package init(unsupported challenges: [AuthenticationChallenge]) {
        guard !challenges.isEmpty else {
            self = .noChallenge
            return
        }
        var names: [String] = []
        for challenge in challenges.prefix(8) {
            let algorithm = challenge.isScheme("Digest") ? challenge["algorithm"].map { " (\($0.prefix(40)))" } : nil
            let name = "\(challenge.scheme.prefix(40))\(algorithm ?? "")"
            if !names.contains(name) { names.append(name) }
        }
        self = .unsupportedSchemes(names)
    }
}

extension ChallengeRefusal: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .noChallenge:
            "The response requires credentials, but has no valid challenge."
        case .unsupportedSchemes(let names):
            """
            The response requires authentication schemes that are not supported: \(names.joined(separator: ", ")). \
            Basic and Digest are supported; for others set the Authorization header.
            """
        case .credentialRefused(let scheme):
            "The server rejected the user name and the password (\(scheme)): check both."
        case .invalidCredential(let error):
            error.errorDescription
        case .bodyNotRepeatable:
            "The request must be sent again with credentials, but its body cannot be: use a repeatable body."
        }
    }
}
