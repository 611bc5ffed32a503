#if canImport(Combine) || OpenCombine
    import Moya

    extension Publisher where Output == ProgressResponse, Failure == MoyaError {
        /// The response, when it is there.
        public func filterCompleted() -> AnyPublisher<Response, MoyaError> {
            compactMap(\.response).eraseToAnyPublisher()
        }

        /// How far the request has come, from 0 to 1, as long as there is no response.
        public func filterProgress() -> AnyPublisher<Double, MoyaError> {
            compactMap(\.progressUntilCompleted).eraseToAnyPublisher()
        }
    }
#endif
