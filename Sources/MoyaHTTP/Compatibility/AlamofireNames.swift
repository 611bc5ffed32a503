// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Names that Moya's users take from Alamofire. As they are unavailable, an application's or another library's declaration
// of the same name is used wherever there is one. The module MoyaAlamofire declares those that it supports.

/// A dictionary of parameters in Alamofire.
@available(*, unavailable, message: "Write [String: any Sendable], or import MoyaAlamofire.")
public typealias Parameters = [String: any Sendable]

/// The shared session in Alamofire.
@available(*, unavailable, message: "Write Session.default, or import MoyaAlamofire.")
public var AF: Session { .default }

/// A request for data in Alamofire.
@available(*, unavailable, message: "Write Request, or import MoyaAlamofire.")
public typealias DataRequest = Request

/// A request that uploads in Alamofire.
@available(*, unavailable, message: "Write Request, or import MoyaAlamofire.")
public typealias UploadRequest = Request

/// The argument of a response handler in Alamofire.
@available(*, unavailable, message: "Write SessionResponse, which `try await request.value` returns.")
public struct DataResponse<Success, Failure: Error> {
    /// Not supported.
    public var request: URLRequest?
    /// Not supported.
    public var response: HTTPURLResponse?
    /// Not supported.
    public var data: Data?
    /// Not supported.
    public var result: Result<Success, Failure>
    /// Not supported.
    public var value: Success?
    /// Not supported.
    public var error: Failure?
}

/// The argument of a response handler in Alamofire.
@available(*, unavailable, message: "Write SessionResponse, which `try await request.value` returns.")
public typealias AFDataResponse<Success> = DataResponse<Success, any Error>

/// An observer of the network's state in Alamofire.
@available(
    *,
    unavailable,
    message:
        "Write NWPathMonitor of Apple's Network; or send the request, which fails with URLError.notConnectedToInternet."
)
open class NetworkReachabilityManager {
    /// Not supported.
    public static var `default`: NetworkReachabilityManager? { nil }
    /// Not supported.
    public enum NetworkReachabilityStatus: Equatable, Sendable {
        /// Not supported.
        case unknown, notReachable
        /// Not supported.
        case reachable(ConnectionType)

        /// Not supported.
        public enum ConnectionType: Sendable {
            /// Not supported.
            case ethernetOrWiFi, cellular
        }
    }

    /// Not supported.
    public init?() { nil }
    /// Not supported.
    public init?(host: String) { nil }
    /// Not supported.
    open var isReachable: Bool { true }
    /// Not supported.
    open var isReachableOnCellular: Bool { true }
    /// Not supported.
    open var isReachableOnEthernetOrWiFi: Bool { true }
    /// Not supported.
    open var status: NetworkReachabilityStatus { .unknown }
    /// Not supported.
    @discardableResult
    open func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping (NetworkReachabilityStatus) -> Void
    ) -> Bool { false }
    /// Not supported.
    open func stopListening() {}
}

/// A type that can be converted to a URL in Alamofire.
@available(*, unavailable, message: "Write URL, or import MoyaAlamofire.")
public protocol URLConvertible: Sendable {}

extension String {
    /// Creates a URL in Alamofire.
    @available(*, unavailable, message: "Write URL(string:), or import MoyaAlamofire.")
    public func asURL() throws -> URL { throw URLError(.badURL) }
}

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
        completionHandler: @escaping (AFDataResponse<Data?>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `let data = try await request.value.data`.")
    @discardableResult
    public func responseData(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AFDataResponse<Data>) -> Void
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
        completionHandler: @escaping (AFDataResponse<String>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try JSONSerialization.jsonObject(with: await request.value.data)`.")
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        completionHandler: @escaping (AFDataResponse<Any>) -> Void
    ) -> Request { self }

    /// Not supported: wait for the value.
    @available(*, unavailable, message: "Write `try JSONDecoder().decode(Value.self, from: await request.value.data)`.")
    @discardableResult
    public func responseDecodable<Value: Decodable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping (AFDataResponse<Value>) -> Void
    ) -> Request { self }
}
