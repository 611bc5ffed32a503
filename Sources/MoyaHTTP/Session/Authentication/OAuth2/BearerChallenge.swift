/// The content of a bearer challenge (RFC 6750, section 3).
struct BearerChallenge: Equatable {
    /// The `error` parameter of the first Bearer challenge that has one.
    let error: String?

    /// Creates a challenge from the values of all `WWW-Authenticate` headers.
    init(_ values: [String]) {
        error =
            ChallengeParser.challenges(in: values).lazy
            .filter { $0.isScheme("Bearer") }
            .compactMap { $0["error"] }
            .first
    }
}
