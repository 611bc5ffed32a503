import Foundation

// The requests that Alamofire's session makes, as values that can be started, cancelled and awaited from different places:
// see ``Request``. Providers do not use them, so there is nothing to override.
extension Session {
    /// Creates a request that can be started, cancelled and awaited from different places.
    ///
    /// `interceptor` adapts and retries after the session's interceptor. The request starts when its value is read if
    /// `shouldAutomaticallyResume` is true, and with ``Request/resume()`` otherwise; `nil` selects ``startRequestsImmediately``.
    public func request(
        _ convertible: some URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor, startsWhenRead: shouldAutomaticallyResume)
    }

    /// Creates a request that sends a file as its body, streamed.
    ///
    /// The file is read as it is sent. The other parameters are those of
    /// ``request(_:interceptor:shouldAutomaticallyResume:)``.
    public func upload(
        _ fileURL: URL,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        Request(request, session: self, interceptor: interceptor, startsWhenRead: shouldAutomaticallyResume) {
            try await $0.data(for: $1, body: .file(fileURL), record: $2, settings: $3)
        }
    }

    /// Creates a request that sends a form, streamed.
    ///
    /// The upload has the parts that the form has at the call, and the form's content type replaces the request's. Reading the
    /// request's value throws the errors of the form. The other parameters are those of
    /// ``request(_:interceptor:shouldAutomaticallyResume:)``.
    public func upload(
        multipartFormData: RequestMultipartFormData,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        let body = Result { try multipartFormData.body }
        let form = FormRequest(request: request, contentType: multipartFormData.contentType)
        return Request(form, session: self, interceptor: interceptor, startsWhenRead: shouldAutomaticallyResume) {
            try await $0.data(for: $1, body: body.get(), record: $2, settings: $3)
        }
    }

    /// Creates a request that writes the body of its response to a file.
    ///
    /// The destination is called when the response's head has arrived. The other parameters are those of
    /// ``request(_:interceptor:shouldAutomaticallyResume:)``.
    @_disfavoredOverload
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: @escaping DownloadRequest.Destination
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor, startsWhenRead: shouldAutomaticallyResume) {
            try await $0.download($1, to: destination, record: $2, settings: $3)
        }
    }
}

/// A request with the content type of a form.
private struct FormRequest: URLRequestConvertible {
    let request: any URLRequestConvertible
    let contentType: String

    func asURLRequest() throws -> URLRequest {
        var request = try self.request.asURLRequest()
        // On Linux, changing a request without a URL traps.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }
}
