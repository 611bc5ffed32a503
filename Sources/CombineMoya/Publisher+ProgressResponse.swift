#if canImport(Combine) || OpenCombine
import Moya

extension Publisher where Output == ProgressResponse, Failure == MoyaError {
    /// Publishes only the response.
    public func filterCompleted() -> AnyPublisher<Response, MoyaError> {
        compactMap(\.response).eraseToAnyPublisher()
    }

    /// Publishes only the progress, from 0 to 1, before the response.
    public func filterProgress() -> AnyPublisher<Double, MoyaError> {
        compactMap(\.progressUntilCompleted).eraseToAnyPublisher()
    }
}
#endif
