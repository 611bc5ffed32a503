#if Macros
import Foundation
import Moya

/// Sends the requests of a client of a declared API, and decodes their responses.
///
/// The functions have these parameters: `keyPath` is the location of the value in the body; `failure` is the type that the body of a
/// rejected response decodes as, and `errorBodies` are such types for some statuses; `decoder` replaces that of the caller.
public struct APICaller<Target: TargetType>: Sendable {
    /// The type that the bodies of rejected responses decode as.
    public typealias ErrorBody = any (Decodable & Error & Sendable).Type
    /// A decoder of any format.
    public typealias Decoder = any ResponseDecoder & Sendable

    /// Sends the requests.
    public let provider: MoyaProvider<Target>
    /// Decodes the responses.
    public let decoder: any ResponseDecoder & Sendable

    /// Creates a caller.
    public init(provider: MoyaProvider<Target>, decoder: any ResponseDecoder & Sendable = JSONDecoder()) {
        self.provider = provider
        self.decoder = decoder
    }

    /// Sends a request and ignores its response.
    ///
    /// - Throws: ``MoyaError``; the decoded value of a rejected response is in ``MoyaError/underlying(_:_:)``.
    public func send(
        to target: Target,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) {
        _ = try await value(of: target, orThrow: failure, errorBodies: errorBodies, using: decoder) as Response
    }

    /// Returns the response.
    ///
    /// - Throws: ``MoyaError``.
    public func value(
        of target: Target,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> Response {
        do throws(MoyaError) {
            return try await provider.request(target)
        } catch {
            throw error.described(by: errorBodies, or: failure, using: decoder ?? self.decoder)
        }
    }

    /// Returns the response before its body has been received.
    ///
    /// - Throws: ``MoyaError``.
    public func stream(
        of target: Target,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> StreamingResponse {
        do throws(MoyaError) {
            return try await provider.stream(target)
        } catch {
            throw error.described(by: errorBodies, or: failure, using: decoder ?? self.decoder)
        }
    }

    /// Returns the body, or its part at a key path, as a value: see `Response.output`.
    ///
    /// - Throws: ``MoyaError``.
    @preconcurrency
    public func value<Value: Decodable & SendableMetatype>(
        of target: Target,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> Value {
        let response: Response = try await value(
            of: target,
            orThrow: failure,
            errorBodies: errorBodies,
            using: decoder
        )
        return try response.output(atKeyPath: keyPath, using: decoder ?? self.decoder)
    }

    /// Returns the body, or its part at a key path, as a value; `nil` for an empty body and for JSON `null`.
    ///
    /// - Throws: ``MoyaError``.
    @preconcurrency
    public func valueIfPresent<Value: Decodable & SendableMetatype>(
        of target: Target,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> Value? {
        try await value(of: target, at: keyPath, orThrow: failure, errorBodies: errorBodies, using: decoder)
    }

    /// Returns the body, or its part at a key path, as a value with its response.
    ///
    /// - Throws: ``MoyaError``.
    public func response<Value: Decodable & Sendable>(
        of target: Target,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> TypedResponse<Value> {
        let response: Response = try await value(
            of: target,
            orThrow: failure,
            errorBodies: errorBodies,
            using: decoder
        )
        return TypedResponse(
            try response.output(atKeyPath: keyPath, using: decoder ?? self.decoder),
            response: response
        )
    }

    /// Returns the result for the status of the response.
    ///
    /// - Throws: ``MoyaError``.
    public func resultByStatus<Value: StatusResult>(
        of target: Target,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> Value {
        let response: Response = try await value(
            of: target,
            orThrow: failure,
            errorBodies: errorBodies,
            using: decoder
        )
        return try Value(from: response, using: decoder ?? self.decoder)
    }

    /// Returns the items of a list in pages, which are requested as they are read.
    public func pages<Item: Decodable & Sendable>(
        of target: Target,
        by pagination: Pagination,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) -> PagedSequence<Item> {
        let decoder = decoder ?? self.decoder
        return provider.pages(
            target,
            by: pagination,
            refused: { error in error.described(by: errorBodies, or: failure, using: decoder) },
            items: { response throws(MoyaError) in
                try response.output(atKeyPath: keyPath, using: decoder)
            }
        )
    }

    /// Returns the values in server-sent events, whose request is sent when they are read.
    ///
    /// `end` is the data of the event that ends them.
    public func events<Value: Decodable & Sendable>(
        of target: Target,
        until end: String? = nil,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) -> DecodedEvents<Value> {
        let decoder = decoder ?? self.decoder
        return DecodedEvents(
            provider.events(target),
            decoder: decoder,
            until: end,
            changeError: { $0.described(by: errorBodies, or: failure, using: decoder) }
        )
    }

    /// Returns the values in the lines of the body, which are read as they arrive.
    ///
    /// - Throws: ``MoyaError``.
    public func lines<Value: Decodable & Sendable>(
        of target: Target,
        orThrow failure: ErrorBody? = nil,
        errorBodies: [StatusErrorBody] = [],
        using decoder: Decoder? = nil
    ) async throws(MoyaError) -> DecodedLines<Value> {
        try await stream(of: target, orThrow: failure, errorBodies: errorBodies, using: decoder)
            .lines.decoded(using: decoder ?? self.decoder)
    }
}
#endif
