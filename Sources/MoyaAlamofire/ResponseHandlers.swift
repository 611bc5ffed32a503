import Foundation
import Moya
import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The argument of a response handler: the response, with its converted data.
public struct DataResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the response.
    public let response: HTTPURLResponse?
    /// The body of the response.
    public let data: Data?
    /// The converted data, or the error.
    public let result: Result<Success, Failure>
    /// The converted data.
    public var value: Success? { try? result.get() }
    /// The error.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    /// Not supported: the destination of a download names the file.
    @available(*, unavailable, message: "The destination of the target's task names the file.")
    public var fileURL: URL? { nil }
}

extension DataResponse: Sendable where Success: Sendable {}

/// The argument of a response handler of ``Request``.
public typealias AFDataResponse<Success> = DataResponse<Success, AlamofireError>

extension Request {
    /// Accepts the statuses from 200 to 299 only.
    ///
    /// For retriers and response handlers, another status is an error. Content types are not checked. Call it before the
    /// request starts.
    @discardableResult
    public func validate() -> Request { validate(statusCode: 200..<300) }

    /// Accepts only the given statuses; see ``validate()``.
    @discardableResult
    public func validate(statusCode: some Sequence<Int>) -> Request {
        let codes = Set(statusCode)
        acceptStatuses { codes.contains($0) }
        return self
    }

    /// Starts the request as ``Request/value`` does, and passes the response to a function, with its data if it has any.
    @discardableResult
    @preconcurrency
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { $0.data.isEmpty ? nil : $0.data }
    }

    /// Starts the request as ``Request/value`` does, and passes the response's data to a function.
    @discardableResult
    @preconcurrency
    public func responseData(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { $0.data }
    }

    /// Starts the request as ``Request/value`` does, and passes the response's data to a function, as text.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the function is called.
    ///   - encoding: The encoding of the text; `nil` for the charset of `Content-Type`, or UTF-8 if it has none.
    ///   - completionHandler: The function.
    /// - Returns: The request.
    @discardableResult
    @preconcurrency
    public func responseString(
        queue: DispatchQueue = .main,
        encoding: String.Encoding? = nil,
        completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { try $0.text(in: encoding) }
    }

    /// Starts the request as ``Request/value`` does, and passes the decoded data of the response to a function.
    ///
    /// A response without a body is an error, unless the type is an ``EmptyResponse``, and the status is 204 or 205 or the
    /// method is HEAD.
    @discardableResult
    @preconcurrency
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping @Sendable (AFDataResponse<Value>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { try $0.decoded(type, with: decoder) }
    }

    /// Waits for the response in a task, which keeps the request, and calls the handler on a queue.
    private func respond<Value: Sendable>(
        on queue: DispatchQueue,
        _ handler: @escaping @Sendable (AFDataResponse<Value>) -> Void,
        convert: @escaping @Sendable (SessionResponse) throws -> Value
    ) -> Request {
        Task {
            let response = await dataResponse(convert)
            queue.async { handler(response) }
        }
        return self
    }

    /// Starts the request, and returns its response with converted data.
    func dataResponse<Value: Sendable>(
        _ convert: @Sendable (SessionResponse) throws -> Value
    ) async -> AFDataResponse<Value> {
        var data: Data?
        let result: Result<Value, AlamofireError>
        do {
            let response = try await value
            data = response.data
            guard isAccepted(response.statusCode) else {
                throw UnacceptableStatusError(status: response.statusCode)
            }
            result = .success(try convert(response))
        } catch {
            // If an error has replaced the response, its body is in the session's record.
            data = data ?? record.failedResponse?.data
            result = .failure(AlamofireError(error) ?? .sessionTaskFailed(error: error))
        }
        return DataResponse(request: request, response: self.response, data: data, result: result)
    }
}

// These handlers are not supported.
extension Request {
    /// Not supported: a provider reports the progress of a target's request.
    @available(
        *,
        unavailable,
        message: "Write a target: MoyaProvider.request(_:progress:completion:) reports the progress."
    )
    @discardableResult
    public func uploadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping (Progress) -> Void
    ) -> Request { self }

    /// Not supported: a provider reports the progress of a target's request.
    @available(
        *,
        unavailable,
        message: "Write a target: MoyaProvider.request(_:progress:completion:) reports the progress."
    )
    @discardableResult
    public func downloadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping (Progress) -> Void
    ) -> Request { self }

    /// Not supported: the destination of a download names the file.
    @available(*, unavailable, message: "The destination of the target's task names the file.")
    @discardableResult
    public func responseURL(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AFDataResponse<URL>) -> Void
    ) -> Request { self }
}
