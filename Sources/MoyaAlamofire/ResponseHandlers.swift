import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a response handler gets: the response, and its data in the form that the handler is for.
public struct DataResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the response.
    public let response: HTTPURLResponse?
    /// The body of the response.
    public let data: Data?
    /// The data in the handler's form, or the error.
    public let result: Result<Success, Failure>
    /// The data in the handler's form.
    public var value: Success? { try? result.get() }
    /// The error.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    /// Not supported: the destination of a download names the file.
    @available(*, unavailable, message: "The file is where the destination of the target's task puts it.")
    public var fileURL: URL? { nil }
}

extension DataResponse: Sendable where Success: Sendable {}

/// What a response handler of ``Request`` gets.
public typealias AFDataResponse<Success> = DataResponse<Success, AlamofireError>

extension Request {
    /// Accepts the statuses from 200 to 299 only.
    ///
    /// To retriers and to response handlers, another status is an error. Content types are not checked. Call it before the
    /// request starts.
    @discardableResult
    public func validate() -> Request { validate(statusCode: 200..<300) }

    /// Accepts some statuses only, as ``validate()`` does.
    @discardableResult
    public func validate(statusCode: some Sequence<Int>) -> Request {
        let codes = Set(statusCode)
        state.setAccepts { codes.contains($0) }
        return self
    }

    /// Starts the request as ``value`` does, and passes the response to a function, with its data if there is some.
    @discardableResult
    @preconcurrency
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { $0.isEmpty ? nil : $0 }
    }

    /// Starts the request as ``value`` does, and passes the response's data to a function.
    @discardableResult
    @preconcurrency
    public func responseData(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { $0 }
    }

    /// Starts the request as ``value`` does, and passes the response's data to a function, as text in UTF-8.
    @discardableResult
    @preconcurrency
    public func responseString(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { data in
            guard let text = String(data: data, encoding: .utf8) else {
                throw AlamofireError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf8))
            }
            return text
        }
    }

    /// Starts the request as ``value`` does, and passes the decoded data of the response to a function.
    @discardableResult
    @preconcurrency
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping @Sendable (AFDataResponse<Value>) -> Void
    ) -> Request {
        respond(on: queue, completionHandler) { data in
            do {
                return try decoder.decode(Value.self, from: data)
            } catch {
                throw AlamofireError.responseSerializationFailed(reason: .decodingFailed(error: error))
            }
        }
    }

    /// Waits for the response in a task, which keeps the request, and calls the handler on a queue.
    private func respond<Value: Sendable>(
        on queue: DispatchQueue,
        _ handler: @escaping @Sendable (AFDataResponse<Value>) -> Void,
        convert: @escaping @Sendable (Data) throws -> Value
    ) -> Request {
        Task {
            var data: Data?
            let result: Result<Value, AlamofireError>
            do {
                let response = try await value
                data = response.data
                if let accepts = state.accepts, !accepts(response.statusCode) {
                    throw UnacceptableStatusError(status: response.statusCode)
                }
                result = .success(try convert(response.data))
            } catch {
                // The body of a response that an error has replaced is in the session's record.
                data = data ?? state.failedResponse?.data
                result = .failure(AlamofireError(error) ?? .sessionTaskFailed(error: error))
            }
            let response = DataResponse(request: request, response: self.response, data: data, result: result)
            queue.async { handler(response) }
        }
        return self
    }
}

// Handlers that there are none for.
extension Request {
    /// Not supported: the progress of a target's request is reported.
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

    /// Not supported: the progress of a target's request is reported.
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
    @available(*, unavailable, message: "The file is where the destination of the target's task puts it.")
    @discardableResult
    public func responseURL(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AFDataResponse<URL>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try await request.value.data`.")
    public func serializingData() -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try JSONDecoder().decode(Value.self, from: await request.value.data)`.")
    public func serializingDecodable<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> Request { self }
}
