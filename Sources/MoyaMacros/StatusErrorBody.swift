#if Macros
import Moya

/// The type that the bodies of rejected responses with some statuses decode as: see ``ErrorBody(_:for:)-74gtv``.
public struct StatusErrorBody: Sendable {
    /// The type.
    public let type: any (Decodable & Error & Sendable).Type
    /// The statuses.
    public let statuses: ClosedRange<Int>

    /// Creates the type for several statuses.
    public init(_ type: any (Decodable & Error & Sendable).Type, for statuses: ClosedRange<Int>) {
        self.type = type
        self.statuses = statuses
    }

    /// Creates the type for one status.
    public init(_ type: any (Decodable & Error & Sendable).Type, for status: Int) {
        self.init(type, for: status...status)
    }
}

extension MoyaError {
    /// Returns the error that the body of a rejected response describes, or the original error.
    ///
    /// - Parameters:
    ///   - bodies: The types for some statuses.
    ///   - failure: The type for all other statuses; `nil` for none.
    ///   - decoder: Decodes the body.
    /// - Returns: The error.
    func described(
        by bodies: [StatusErrorBody],
        or failure: (any (Decodable & Error & Sendable).Type)?,
        using decoder: any ResponseDecoder
    ) -> MoyaError {
        // The stream of events replaces the error of a status.
        let refusal: MoyaError
        if case .underlying(EventStreamError.unexpectedStatus(let status), let response?) = self,
            !(200...299).contains(status)
        {
            refusal = .statusCode(response)
        } else {
            refusal = self
        }
        let status = refusal.statusCode
        let body = bodies.first { body in status.map { body.statuses.contains($0) } ?? false }
        guard let type = body?.type ?? failure else { return self }
        return refusal.decoded(as: type, using: decoder) ?? self
    }

    /// Returns the error with the decoded body, or with the reason why it does not decode; `nil` if no body was refused.
    private func decoded<Failure: Decodable & Error & Sendable>(
        as failure: Failure.Type,
        using decoder: any ResponseDecoder
    ) -> MoyaError? {
        let result = Result<Response, MoyaError>.failure(self)
            .filterSuccessfulStatusCodes(orFailWith: failure, using: decoder)
        if case .failure(let read) = result { return read }
        return nil
    }
}
#endif
