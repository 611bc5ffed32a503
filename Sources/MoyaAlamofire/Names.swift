// swift-format-ignore-file: AlwaysUseLowerCamelCase

// What applications for Moya 15 take from Alamofire. The other types, such as `Session`, `HTTPHeaders` and
// `RequestInterceptor`, are those that Moya exports.
@_exported import Moya

/// The shared session.
public let AF = Session.default

/// The parameters of a request, by name.
public typealias Parameters = [String: any Sendable]

/// Alamofire's error type, which the library does not throw.
@available(
    *,
    deprecated,
    message: """
        MoyaError.underlying holds the error itself, a URLError or the application's own: write that type, or error.asAFError.
        """
)
public typealias AFError = AlamofireError

/// A request of a session.
public typealias DataRequest = Request

/// A request of a session that uploads.
public typealias UploadRequest = Request

/// A whole multipart form, which Moya calls `RequestMultipartFormData`.
public typealias MultipartFormData = RequestMultipartFormData

/// The name of ``Session`` in Alamofire 4.
@available(*, deprecated, renamed: "Session")
public typealias SessionManager = Session
