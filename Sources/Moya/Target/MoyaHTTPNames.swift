// What callers need of MoyaHTTP and of Foundation's networking comes with `import Moya`.
@_exported import MoyaHTTP

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

/// An HTTP request method, such as `.get`.
public typealias Method = HTTPMethod

/// Says where a download goes, once the response's head is there.
public typealias DownloadDestination = DownloadRequest.Destination
