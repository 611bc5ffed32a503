/// The decoded body of a response, with its status and its headers.
///
///     @GET("/users/{name}") func user(name: String) async throws -> TypedResponse<User>
///
///     let user = try await client.user(name: "ashfurrow")
///     print(user.value.login, user.statusCode, user.headers["ETag"] ?? "")
public struct TypedResponse<Value: Sendable>: Sendable {
    /// The decoded body.
    public var value: Value
    /// The response.
    public var response: Response

    /// Creates a value with its response, such as `Response(statusCode: 200, data: Data())` in a test.
    public init(_ value: Value, response: Response) {
        self.value = value
        self.response = response
    }

    /// The status code.
    public var statusCode: Int { response.statusCode }

    /// The headers.
    public var headers: HTTPHeaders { response.headers }
}

extension TypedResponse: Equatable where Value: Equatable {}
