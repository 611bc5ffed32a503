import Foundation
import Moya
import MoyaHTTP

/// A task that waits for the response of a ``Request``, with its data converted.
public struct DataTask<Value: Sendable>: Sendable {
    private let request: Request
    private let task: Task<AFDataResponse<Value>, Never>
    private let isCancelledWithCaller: Bool

    /// Starts the request.
    fileprivate init(
        _ request: Request,
        isCancelledWithCaller: Bool,
        convert: @escaping @Sendable (SessionResponse) throws -> Value
    ) {
        self.request = request
        self.isCancelledWithCaller = isCancelledWithCaller
        task = Task { await request.dataResponse(convert) }
    }

    /// The response, with its converted data.
    public var response: AFDataResponse<Value> {
        get async {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                if isCancelledWithCaller { request.cancel() }
            }
        }
    }

    /// The converted data, or the error.
    public var result: Result<Value, AlamofireError> { get async { await response.result } }

    /// The converted data.
    public var value: Value { get async throws { try await result.get() } }

    /// Starts the request, if its session does not start requests by itself.
    public func resume() { request.resume() }

    /// Cancels the request.
    public func cancel() { request.cancel() }
}

extension Request {
    /// Starts the request, and returns a task for its data.
    ///
    /// - Parameter shouldAutomaticallyCancel: Whether cancelling the task that waits cancels the request.
    /// - Returns: The task.
    public func serializingData(automaticallyCancelling shouldAutomaticallyCancel: Bool = true) -> DataTask<Data> {
        DataTask(self, isCancelledWithCaller: shouldAutomaticallyCancel) { $0.data }
    }

    /// Starts the request, and returns a task for its data as text, as
    /// ``responseString(queue:encoding:completionHandler:)`` converts it.
    public func serializingString(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        encoding: String.Encoding? = nil
    ) -> DataTask<String> {
        DataTask(self, isCancelledWithCaller: shouldAutomaticallyCancel) { try $0.text(in: encoding) }
    }

    /// Starts the request, and returns a task for its decoded data, as
    /// ``responseDecodable(of:queue:decoder:completionHandler:)`` decodes it.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        decoder: JSONDecoder = JSONDecoder()
    ) -> DataTask<Value> {
        DataTask(self, isCancelledWithCaller: shouldAutomaticallyCancel) { try $0.decoded(type, with: decoder) }
    }
}
