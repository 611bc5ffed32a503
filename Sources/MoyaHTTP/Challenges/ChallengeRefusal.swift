import Foundation

/// Why a challenge is not answered.
package enum ChallengeRefusal: Error, Equatable, Sendable {
    /// The response has no challenge that can be read.
    case noChallenge
    /// None of the schemes offered, or none of Digest's algorithms, is one of ours.
    case unsupportedSchemes([String])
    /// The credential was sent, and the server does not take it.
    case credentialRefused(scheme: String)
    /// The scheme cannot carry the credential.
    case invalidCredential(CredentialError)
    /// The body would have to be sent a second time, or be hashed before. For whoever sends the request to say.
    case bodyNotRepeatable

    /// - Parameter challenges: Those that were offered. What is named of them is bounded.
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
            "The response asks for credentials, but does not say which: it has no challenge that can be read."
        case .unsupportedSchemes(let names):
            """
            The response asks for credentials of kinds that are not answered: \(names.joined(separator: ", ")). \
            Basic and Digest are; for others set the Authorization header.
            """
        case .credentialRefused(let scheme):
            "The user name and password were sent (\(scheme)), and refused: check both."
        case .invalidCredential(let error):
            error.errorDescription
        case .bodyNotRepeatable:
            "The request has to be sent again with credentials, and its body cannot be: give it one that is repeatable."
        }
    }
}
