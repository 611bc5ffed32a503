#if RxSwift
    import Moya
    import RxSwift

    extension ObservableType where Element == ProgressResponse {
        /// The response, when it is there.
        public func filterCompleted() -> Observable<Response> { compactMap(\.response) }

        /// How far the request has come, from 0 to 1, as long as there is no response.
        public func filterProgress() -> Observable<Double> { compactMap(\.progressUntilCompleted) }
    }
#endif
