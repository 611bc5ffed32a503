// `import Moya` includes MoyaHTTP and Foundation, because targets name `URL` and `Data`.
@_exported import Foundation
@_exported import MoyaHTTP

/// An HTTP request method, such as `.get`.
public typealias Method = HTTPMethod

/// Returns the destination of a download; called after the response's head was received.
public typealias DownloadDestination = DownloadRequest.Destination
