// This module of an application declares types with names of Alamofire's: see own-names.swift.
public typealias Parameters = [String: Any]
public let AF = 1
public struct DataResponse<Value> {}
public typealias AFDataResponse<Value> = DataResponse<Value>
public protocol URLConvertible {}
public protocol CachedResponseHandler {}
public struct Request {
    public init() {}
}
public struct HTTPMethod {
    public init() {}
}
public struct Manager {
    public init() {}
}
public struct DataRequest {
    public init() {}
}
public struct UploadRequest {
    public init() {}
}
public struct AFError {
    public init() {}
}
public struct NetworkReachabilityManager {
    public init() {}
}
public struct SessionManager {
    public init() {}
}
public struct SessionDelegate {
    public init() {}
}
public struct RequestSetup {
    public init() {}
}
public struct ResponseCacher {
    public init() {}
}
public struct AlamofireNotifications {
    public init() {}
}
public struct ClosureEventMonitor {
    public init() {}
}
public struct RevocationTrustEvaluator {
    public init() {}
}
public struct ServerTrustPolicy {
    public init() {}
}
public struct ServerTrustPolicyManager {
    public init() {}
}
public struct RequestRetryCompletion {
    public init() {}
}
public struct Cancellable {
    public init() {}
}
public struct Image {
    public init() {}
}
public struct Cookie {
    public init() {}
}
public struct Response {
    public init() {}
}
public struct Method {
    public init() {}
}
public struct UploadType {
    public init() {}
}
