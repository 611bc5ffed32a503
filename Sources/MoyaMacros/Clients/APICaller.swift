#if Macros
    import Foundation

    /// What a client of a declared API asks: a provider, and how answers are decoded.
    public struct APICaller<Target: TargetType>: Sendable {
        /// What the body of a refused answer decodes as.
        public typealias ErrorBody = any (Decodable & Error & Sendable).Type

        /// Sends the requests.
        public let provider: MoyaProvider<Target>
        /// Decodes the answers.
        public let decoder: any ResponseDecoder & Sendable

        /// Makes a caller.
        public init(provider: MoyaProvider<Target>, decoder: any ResponseDecoder & Sendable = JSONDecoder()) {
            self.provider = provider
            self.decoder = decoder
        }

        /// Waits for the answer, and leaves it.
        ///
        /// - Parameter failure: What the body of a refused answer decodes as, and is thrown.
        /// - Throws: ``MoyaError``.
        public func send(to target: Target, orThrow failure: ErrorBody? = nil) async throws(MoyaError) {
            _ = try await value(of: target, orThrow: failure) as Response
        }

        /// The answer as it is.
        ///
        /// - Throws: ``MoyaError``.
        public func value(of target: Target, orThrow failure: ErrorBody? = nil) async throws(MoyaError) -> Response {
            do throws(MoyaError) {
                return try await provider.request(target)
            } catch {
                throw failure.map { read(error, as: $0) } ?? error
            }
        }

        /// The answer, read as it comes.
        ///
        /// - Throws: ``MoyaError``.
        public func stream(
            of target: Target,
            orThrow failure: ErrorBody? = nil
        ) async throws(MoyaError) -> StreamingResponse {
            do throws(MoyaError) {
                return try await provider.stream(target)
            } catch {
                throw failure.map { read(error, as: $0) } ?? error
            }
        }

        /// The answer's body as a value, or the part of it at a key path: see `Response.answer`.
        ///
        /// - Throws: ``MoyaError``.
        public func value<Value: Decodable>(
            of target: Target,
            at keyPath: String? = nil,
            orThrow failure: ErrorBody? = nil
        ) async throws(MoyaError) -> Value {
            try (await value(of: target, orThrow: failure) as Response).answer(atKeyPath: keyPath, using: decoder)
        }

        /// The answer's body as a value, or the part of it at a key path; `nil` for an empty body, and for the JSON value
        /// `null`.
        ///
        /// - Throws: ``MoyaError``.
        public func valueIfPresent<Value: Decodable>(
            of target: Target,
            at keyPath: String? = nil,
            orThrow failure: ErrorBody? = nil
        ) async throws(MoyaError) -> Value? {
            try await value(of: target, at: keyPath, orThrow: failure)
        }

        /// What the body of a refused answer says, or else the error.
        private func read<Failure: Decodable & Error & Sendable>(
            _ error: MoyaError,
            as failure: Failure.Type
        ) -> MoyaError {
            let result = Result<Response, MoyaError>.failure(error)
                .filterSuccessfulStatusCodes(orFailWith: failure, using: decoder)
            if case .failure(let read) = result { return read }
            return error
        }
    }
#endif
