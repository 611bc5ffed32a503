import Foundation

// Names of Moya 9 and earlier, in which an endpoint had parameters instead of a task.
extension Endpoint {
    /// Creates an endpoint that sends the parameters, or nothing if they are `nil`.
    @available(
        *,
        deprecated,
        message: "Write task: .requestParameters(parameters:encoding:), or .requestPlain without parameters."
    )
    @preconcurrency
    public convenience init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: Moya.Method = .get,
        parameters: [String: any Sendable]? = nil,
        parameterEncoding: any ParameterEncoding = URLEncoding.default,
        httpHeaderFields: [String: String]? = nil
    ) {
        self.init(
            url: url,
            sampleResponseClosure: sampleResponseClosure,
            method: method,
            task: parameters.map { .requestParameters(parameters: $0, encoding: parameterEncoding) } ?? .requestPlain,
            httpHeaderFields: httpHeaderFields
        )
    }

    /// Unavailable: the task determines its parameters, and whether more can be added.
    @available(
        *,
        unavailable,
        message: "Write replacing(task: .requestParameters(parameters:encoding:)) with all parameters."
    )
    public func adding(newParameters: [String: Any]) -> Endpoint { self }

    /// Unavailable: the task determines its parameters, and whether more can be added.
    @available(
        *,
        unavailable,
        message: "Write replacing(task: .requestParameters(parameters:encoding:)) with all parameters."
    )
    public func adding(parameters: [String: Any]) -> Endpoint { self }

    /// Unavailable: an encoding belongs to a task.
    @available(
        *,
        unavailable,
        message: "Write replacing(task: .requestParameters(parameters:encoding:)) with the new encoding."
    )
    public func adding(newParameterEncoding: any ParameterEncoding) -> Endpoint { self }

    /// Unavailable: an encoding belongs to a task.
    @available(
        *,
        unavailable,
        message: "Write replacing(task: .requestParameters(parameters:encoding:)) with the new encoding."
    )
    public func adding(parameterEncoding: any ParameterEncoding) -> Endpoint { self }

    /// Unavailable: parameters and encoding belong to a task.
    @available(
        *,
        unavailable,
        message: "Write adding(newHTTPHeaderFields:).replacing(task: .requestParameters(parameters:encoding:))."
    )
    @_disfavoredOverload
    public func adding(
        parameters: [String: Any]? = nil,
        httpHeaderFields: [String: String]? = nil,
        parameterEncoding: (any ParameterEncoding)? = nil
    ) -> Endpoint { self }

    /// Unavailable: parameters belong to a task.
    @available(*, unavailable, message: "Switch over task: parameters belong to its cases.")
    public var parameters: [String: Any]? { nil }

    /// Unavailable: an encoding belongs to a task.
    @available(*, unavailable, message: "Switch over task: encodings belong to its cases.")
    public var parameterEncoding: any ParameterEncoding { URLEncoding.default }
}

// Other spellings of header methods.
extension Endpoint {
    /// Returns a copy with additional headers.
    @available(*, deprecated, renamed: "adding(newHTTPHeaderFields:)")
    public func adding(newHttpHeaderFields: [String: String]) -> Endpoint {
        adding(newHTTPHeaderFields: newHttpHeaderFields)
    }

    /// Returns a copy with additional headers.
    @available(*, deprecated, renamed: "adding(newHTTPHeaderFields:)")
    public func adding(httpHeaderFields: [String: String]) -> Endpoint {
        adding(newHTTPHeaderFields: httpHeaderFields)
    }
}
