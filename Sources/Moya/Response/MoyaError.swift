import Foundation

/// An error of a request, from creating it to mapping its response.
public enum MoyaError: Swift.Error {
    /// The response's data is not an image.
    case imageMapping(Response)
    /// The response's data is not JSON, or has no value at the key path.
    case jsonMapping(Response)
    /// The response's data is not text, or has no text at the key path.
    case stringMapping(Response)
    /// The response's data cannot be decoded as the type; with the decoder's error.
    case objectMapping(Swift.Error, Response)
    /// A value could not be encoded, for the request or as a stub's sample; with the encoder's error.
    case encodableMapping(Swift.Error)
    /// The response's status code is not among the accepted ones.
    case statusCode(Response)
    /// Another error, with the response if there is one.
    ///
    /// It is an error of the session, such as a `URLError` for a failed or cancelled exchange, the error of an interceptor or of a
    /// stub, a ``MoyaError/statusCode(_:)`` for a response that failed its target's validation, or a ``TargetMisuse``.
    case underlying(Swift.Error, Response? = nil)
    /// The endpoint's URL is invalid; with its text.
    case requestMapping(String)
    /// Parameters could not be encoded for the request; with the encoding's error.
    case parameterEncoding(Swift.Error)
}

extension MoyaError {
    /// The response, if the error has one.
    public var response: Moya.Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The status code of the response, if the error has one.
    public var statusCode: Int? { response?.statusCode }

    /// The `URLError` that the exchange failed with; `nil` for other errors.
    public var urlError: URLError? {
        if case let error as MoyaError = underlyingError { error.urlError } else { underlyingError?.asURLError }
    }

    /// Whether the request was cancelled, by the application or with its task.
    public var isCancelled: Bool { urlError?.code == .cancelled || underlyingError is CancellationError }

    /// Whether the request took longer than a timeout allows.
    public var isTimeout: Bool { urlError?.code == .timedOut }

    /// The wrapped error, if any.
    var underlyingError: (any Swift.Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _),
            .parameterEncoding(let error):
            error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// Creates an error that wraps another; a ``MoyaError`` is not wrapped.
    package init(wrapping error: any Swift.Error, response: Response? = nil) {
        self = (error as? MoyaError) ?? .underlying(error, response)
    }
}

extension MoyaError {
    /// This error with a `URLError.cancelled` in place of a `CancellationError`, which becomes the cause of the `URLError`.
    var replacingCancellation: MoyaError {
        switch self {
        case .underlying(let error as CancellationError, let response):
            .cancelled(by: error, response)
        case .objectMapping(let error as CancellationError, let response):
            .cancelled(by: error, response)
        default: self
        }
    }

    private static func cancelled(by error: CancellationError, _ response: Response?) -> MoyaError {
        .underlying(URLError.make(.cancelled, url: response?.request?.url, cause: error), response)
    }
}
