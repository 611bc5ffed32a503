/// What a `WWW-Authenticate` says about a bearer token (RFC 6750, section 3).
struct BearerChallenge: Equatable {
    /// The `error` of the first challenge of the scheme Bearer that has one.
    let error: String?

    /// - Parameter values: Those of all headers of that name.
    init(_ values: [String]) {
        error =
            ChallengeParser.challenges(in: values).lazy
            .filter { $0.isScheme("Bearer") }
            .compactMap { $0["error"] }
            .first
    }
}
