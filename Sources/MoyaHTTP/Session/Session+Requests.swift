import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The requests that Alamofire's session makes, as values that can be started, cancelled and awaited from different places:
// see ``Request``. Providers do not go this way, so there is nothing to override.
extension Session {
    /// Prepares a request with an interceptor of its own.
    ///
    /// - Parameters:
    ///   - interceptor: Adapts after the session's, and is asked about repeating after it.
    ///   - shouldAutomaticallyResume: Whether it starts when its value is asked for; without it the session says so.
    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor, startsWhenAsked: shouldAutomaticallyResume)
    }

    /// Prepares a request that sends a file as its body, streamed.
    ///
    /// - Parameters:
    ///   - fileURL: Read as it is sent.
    ///   - interceptor: Adapts after the session's, and is asked about repeating after it.
    ///   - shouldAutomaticallyResume: Whether it starts when its value is asked for; without it the session says so.
    public func upload(
        _ fileURL: URL,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        Request(request, session: self, interceptor: interceptor, startsWhenAsked: shouldAutomaticallyResume) {
            try await $0.data(for: $1, body: .file(fileURL), options: $2)
        }
    }

    /// Prepares a request that sends a form, streamed, whatever its size.
    ///
    /// What is wrong with the form shows when the value is asked for.
    ///
    /// - Parameters:
    ///   - multipartFormData: With the parts that it has now. Its content type replaces the request's.
    ///   - interceptor: Adapts after the session's, and is asked about repeating after it.
    ///   - shouldAutomaticallyResume: Whether it starts when its value is asked for; without it the session says so.
    public func upload(
        multipartFormData: RequestMultipartFormData,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> Request {
        let body = Result { try multipartFormData.body }
        let form = FormRequest(request: request, contentType: multipartFormData.contentType)
        return Request(form, session: self, interceptor: interceptor, startsWhenAsked: shouldAutomaticallyResume) {
            try await $0.data(for: $1, body: body.get(), options: $2)
        }
    }

    /// Prepares a request whose response's body goes into a file.
    ///
    /// - Parameters:
    ///   - interceptor: Adapts after the session's, and is asked about repeating after it.
    ///   - shouldAutomaticallyResume: Whether it starts when its value is asked for; without it the session says so.
    ///   - destination: Asked for the file's place when the response's head is there.
    @_disfavoredOverload
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: @escaping DownloadRequest.Destination
    ) -> Request {
        Request(convertible, session: self, interceptor: interceptor, startsWhenAsked: shouldAutomaticallyResume) {
            try await $0.download($1, to: destination, options: $2)
        }
    }
}

/// A request with the content type of a form.
private struct FormRequest: URLRequestConvertible {
    let request: any URLRequestConvertible
    let contentType: String

    func asURLRequest() throws -> URLRequest {
        var request = try self.request.asURLRequest()
        // On Linux to change a request without a URL ends the process.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }
}
