import Foundation
import Moya
import MoyaHTTP
import Testing

/// The entry points of the pipeline, which must behave equally.
enum EntryPoint: String, CaseIterable, Sendable {
    case callback
    case async

    /// Requests a target and waits for the result; more than one completion fails the test.
    func request<Target: TargetType>(
        _ target: Target,
        from provider: MoyaProvider<Target>
    ) async -> Result<Response, MoyaError> {
        switch self {
        case .callback:
            let result = Promise<Result<Response, MoyaError>>()
            let token = provider.request(target, callbackQueue: .global()) {
                if !result.fulfill($0) { Issue.record("completed twice") }
            }
            return await withTaskCancellationHandler {
                await result.wait()
            } onCancel: {
                token.cancel()
            }
        case .async:
            do throws(MoyaError) {
                return .success(try await provider.request(target))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Result where Success == Response, Failure == MoyaError {
    /// The code of the `URLError` in a failure.
    var urlErrorCode: URLError.Code? { (underlying as? URLError)?.code }

    /// The error in a failure's `.underlying`.
    var underlying: (any Error)? {
        if case .failure(.underlying(let error, _)) = self { error } else { nil }
    }

    /// The response of a success.
    var response: Response? { try? get() }
}

/// Whether the caller runs on the main queue.
///
/// The main queue may run on another thread than the main thread: on Linux other threads run it while the main thread waits.
var isOnMainQueue: Bool {
    DispatchQueue.getSpecific(key: mainQueueKey) == true
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
