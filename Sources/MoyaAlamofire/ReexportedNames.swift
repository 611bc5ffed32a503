// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The module has the names that applications for Moya 15 take from Alamofire, and no others: `import Alamofire` must not hide
// Swift's `Task`, nor make `Cancellable`, `Image` or an application's `Cookie` ambiguous.
@_exported import Foundation

@_exported import enum Moya.AlamofireError
@_exported import protocol MoyaHTTP.AuthenticationCredential
@_exported import struct MoyaHTTP.AuthenticationError
@_exported import class MoyaHTTP.AuthenticationInterceptor
@_exported import protocol MoyaHTTP.Authenticator
@_exported import struct MoyaHTTP.CompositeTrustEvaluator
@_exported import struct MoyaHTTP.ConnectionLostRetryPolicy
@_exported import struct MoyaHTTP.DefaultTrustEvaluator
@_exported import struct MoyaHTTP.DisabledTrustEvaluator
@_exported import enum MoyaHTTP.DownloadRequest
@_exported import protocol MoyaHTTP.EventMonitor
@_exported import struct MoyaHTTP.HTTPHeader
@_exported import struct MoyaHTTP.HTTPHeaders
@_exported import struct MoyaHTTP.HTTPMethod
@_exported import struct MoyaHTTP.Interceptor
@_exported import struct MoyaHTTP.JSONEncoding
@_exported import protocol MoyaHTTP.ParameterEncoding
@_exported import struct MoyaHTTP.PinnedCertificatesTrustEvaluator
@_exported import struct MoyaHTTP.PublicKeysTrustEvaluator
@_exported import protocol MoyaHTTP.RedirectHandler
@_exported import struct MoyaHTTP.Redirector
@_exported import class MoyaHTTP.Request
@_exported import protocol MoyaHTTP.RequestAdapter
@_exported import struct MoyaHTTP.RequestAdapterState
@_exported import protocol MoyaHTTP.RequestInterceptor
import class MoyaHTTP.RequestMultipartFormData
@_exported import protocol MoyaHTTP.RequestRetrier
@_exported import struct MoyaHTTP.RetryPolicy
@_exported import enum MoyaHTTP.RetryResult
@_exported import protocol MoyaHTTP.ServerTrustEvaluating
@_exported import struct MoyaHTTP.ServerTrustManager
@_exported import class MoyaHTTP.Session
@_exported import struct MoyaHTTP.URLEncodedFormEncoder
@_exported import struct MoyaHTTP.URLEncoding
@_exported import protocol MoyaHTTP.URLRequestConvertible

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

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

/// A multipart form, which Moya calls `RequestMultipartFormData`.
public typealias MultipartFormData = RequestMultipartFormData

/// The name of ``Session`` in Alamofire 4.
@available(*, deprecated, renamed: "Session")
public typealias SessionManager = Session
