#if RxSwift
import Moya
import RxSwift

extension ObservableType where Element == ProgressResponse {
    /// Emits only the response.
    public func filterCompleted() -> Observable<Response> { compactMap(\.response) }

    /// Emits only the progress, from 0 to 1, before the response.
    public func filterProgress() -> Observable<Double> { compactMap(\.progressUntilCompleted) }
}
#endif
