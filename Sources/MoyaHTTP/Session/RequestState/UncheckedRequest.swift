import Foundation
import HTTPTypes

/// A request above the redirect stage, as adapters and plugins see it; it has not been checked.
///
/// It is a value that each stage may change, and not a part of the context, whose settings and record are the same in all stages.
/// The redirect stage checks it and creates the ``TransportRequest`` of the first exchange from it.
struct UncheckedRequest: Sendable {
    /// The request.
    ///
    /// Its body is sent unless there is a ``body``.
    var urlRequest: URLRequest
    /// A body that replaces the one in ``urlRequest``.
    var body: HTTPBody?
    /// The changes for which a `URLRequest` has no place: limits and callbacks of a middleware, and the range of a download.
    var transportChanges: (@Sendable (inout TransportRequest) -> Void)?

    /// Creates a request.
    init(_ urlRequest: URLRequest, body: HTTPBody? = nil) {
        self.urlRequest = urlRequest
        self.body = body
    }

    /// Whether the body, if there is one, can be sent again.
    var isBodyRepeatable: Bool { body?.isRepeatable ?? (urlRequest.httpBodyStream == nil) }
}

extension UncheckedRequest {
    /// Returns the request that follows a redirect, as adapters and monitors see it.
    ///
    /// It lacks the fields that the session has added, because adapters would take them for the request's own.
    func following(_ redirect: RedirectRequest, withoutAdded addedFields: HTTPFields) -> UncheckedRequest {
        var request = self
        var headers = redirect.headers
        headers.removeAll { field in
            addedFields.contains(field) && urlRequest.value(forHTTPHeaderField: field.name.rawName) == nil
        }
        request.urlRequest.url = redirect.url
        request.urlRequest.httpMethod = redirect.method.rawValue
        request.urlRequest.setFields(headers, replacing: (urlRequest.allHTTPHeaderFields ?? [:]).keys)
        if !redirect.hasBody {
            (request.urlRequest.httpBody, request.urlRequest.httpBodyStream) = (nil, nil)
            request.body = nil
        }
        return request
    }

    /// Returns the request with the changes of a middleware, which got `old` and passes `new` on.
    func changed(from old: TransportRequest, to new: TransportRequest) -> UncheckedRequest {
        var request = self
        let earlierChanges = transportChanges
        request.transportChanges = { checked in
            earlierChanges?(&checked)
            // Only changed limits are set, because adapters may set the others.
            if new.idleTimeout != old.idleTimeout { checked.idleTimeout = new.idleTimeout }
            if new.exchangeTimeout != old.exchangeTimeout { checked.exchangeTimeout = new.exchangeTimeout }
            if new.phaseTimeouts != old.phaseTimeouts { checked.phaseTimeouts = new.phaseTimeouts }
            if new.responseBufferLimit != old.responseBufferLimit {
                checked.responseBufferLimit = new.responseBufferLimit
            }
            if new.decodingLimits != old.decodingLimits { checked.decodingLimits = new.decodingLimits }
            if let onConnect = new.onConnect { checked.onConnect = onConnect }
            if let onInterimResponse = new.onInterimResponse { checked.onInterimResponse = onInterimResponse }
        }
        if new.url != old.url { request.urlRequest.url = new.url }
        if new.method != old.method { request.urlRequest.httpMethod = new.method.rawValue }
        if new.headers != old.headers {
            request.urlRequest.setFields(new.headers, replacing: old.headers.map(\.name.rawName))
        }
        if new.body != old.body {
            request.urlRequest.httpBodyStream = nil
            // Plugins read the body of the `URLRequest`.
            request.urlRequest.httpBody = new.body?.data
            request.body = new.body?.data == nil ? new.body : nil
        }
        return request
    }
}
