// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The name of ``MultiTarget`` before Moya 8.
@available(*, deprecated, renamed: "MultiTarget")
public typealias StructTarget = MultiTarget

extension Cancellable {
    /// Replaced by ``isCancelled``.
    @available(*, deprecated, renamed: "isCancelled")
    @_disfavoredOverload
    public var cancelled: Bool { isCancelled }

    /// Replaced by ``isCancelled``.
    @available(*, deprecated, renamed: "isCancelled")
    @_disfavoredOverload
    public var canceled: Bool { isCancelled }
}

// Names of Swift 2, which capitalized static members and cases.

extension MoyaProvider {
    /// Replaced by ``defaultEndpointMapping(for:)``.
    @available(*, unavailable, renamed: "defaultEndpointMapping(for:)")
    public final class func DefaultEndpointMapping(_ target: Target) -> Endpoint { defaultEndpointMapping(for: target) }

    /// Replaced by ``defaultRequestMapping(for:closure:)``.
    @available(*, unavailable, renamed: "defaultRequestMapping(for:closure:)")
    public final class func DefaultRequestMapping(_ endpoint: Endpoint, closure: RequestResultClosure) {
        defaultRequestMapping(for: endpoint, closure: closure)
    }

    /// Replaced by ``neverStub(_:)``.
    @available(*, unavailable, renamed: "neverStub(_:)")
    public final class func NeverStub(_ target: Target) -> Moya.StubBehavior { .never }

    /// Replaced by ``immediatelyStub(_:)``.
    @available(*, unavailable, renamed: "immediatelyStub(_:)")
    public final class func ImmediatelyStub(_ target: Target) -> Moya.StubBehavior { .immediate }

    /// Replaced by ``delayedStub(_:)``.
    @available(*, unavailable, renamed: "delayedStub(_:)")
    public final class func DelayedStub(_ seconds: TimeInterval) -> @Sendable (Target) -> Moya.StubBehavior {
        delayedStub(seconds)
    }
}

extension StubBehavior {
    /// Replaced by ``never``.
    @available(*, unavailable, renamed: "never")
    public static var Never: StubBehavior { .never }

    /// Replaced by ``immediate``.
    @available(*, unavailable, renamed: "immediate")
    public static var Immediate: StubBehavior { .immediate }

    /// Replaced by ``delayed(seconds:)``.
    @available(*, unavailable, renamed: "delayed(seconds:)")
    public static func Delayed(seconds: TimeInterval) -> StubBehavior { .delayed(seconds: seconds) }
}

extension EndpointSampleResponse {
    /// Replaced by ``networkResponse(_:_:)``.
    @available(*, unavailable, renamed: "networkResponse(_:_:)")
    public static func NetworkResponse(_ statusCode: Int, _ data: Data) -> EndpointSampleResponse {
        .networkResponse(statusCode, data)
    }

    /// Replaced by ``networkError(_:)``.
    @available(*, unavailable, renamed: "networkError(_:)")
    public static func NetworkError(_ error: NSError) -> EndpointSampleResponse { .networkError(error) }
}

extension Response {
    /// Replaced by ``filter(statusCodes:)``.
    @available(*, unavailable, renamed: "filter(statusCodes:)")
    public func filterStatusCodes(_ range: ClosedRange<Int>) throws -> Response { try filter(statusCodes: range) }

    /// Replaced by ``filter(statusCode:)``.
    @available(*, unavailable, renamed: "filter(statusCode:)")
    public func filterStatusCode(_ code: Int) throws -> Response { try filter(statusCode: code) }
}

extension Endpoint {
    /// Replaced by ``adding(newHTTPHeaderFields:)``.
    @available(*, unavailable, renamed: "adding(newHTTPHeaderFields:)")
    public func endpointByAddingHTTPHeaderFields(_ httpHeaderFields: [String: String]) -> Endpoint {
        adding(newHTTPHeaderFields: httpHeaderFields)
    }
}
