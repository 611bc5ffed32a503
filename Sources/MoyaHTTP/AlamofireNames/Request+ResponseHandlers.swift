import Foundation

// The handlers of responses in Alamofire.
extension Request {
    /// Not supported: check the status of the response.
    @available(
        *,
        unavailable,
        message: "Write `let response = try await request.value`, and check response.statusCode."
    )
    @discardableResult
    public func validate() -> Request { self }

    /// Not supported: check the status of the response.
    @available(
        *,
        unavailable,
        message: "Write `let response = try await request.value`, and check response.statusCode."
    )
    @discardableResult
    public func validate(statusCode: some Sequence<Int>) -> Request { self }

    /// Not supported: check the headers of the response.
    @available(*, unavailable, message: "Write `let response = try await request.value`, and check response.headers.")
    @discardableResult
    public func validate<Types: Sequence<String>>(contentType: @autoclosure () -> Types) -> Request { self }

    /// Not supported: check the response.
    @available(*, unavailable, message: "Write `let response = try await request.value`, and check the response.")
    @discardableResult
    public func validate(_ validation: (URLRequest?, HTTPURLResponse, Data?) -> Result<Void, any Error>) -> Request {
        self
    }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `let response = try await request.value`.")
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AlamofireTypes.DataResponse<Data?, any Error>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `let data = try await request.value.data`.")
    @discardableResult
    public func responseData(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AlamofireTypes.DataResponse<Data, any Error>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(
        *,
        unavailable,
        message: "Write `let text = String(decoding: try await request.value.data, as: UTF8.self)`."
    )
    @discardableResult
    public func responseString(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AlamofireTypes.DataResponse<String, any Error>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try JSONSerialization.jsonObject(with: await request.value.data)`.")
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AlamofireTypes.DataResponse<Any, any Error>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try JSONDecoder().decode(Value.self, from: await request.value.data)`.")
    @discardableResult
    public func responseDecodable<Value: Decodable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping (AlamofireTypes.DataResponse<Value, any Error>) -> Void
    ) -> Request { self }
}
