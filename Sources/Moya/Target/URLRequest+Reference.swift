import Foundation

/// A reference to the URL of a request: an absolute URL, or one that is relative to the URL of the target (RFC 3986, section 4.1).
struct URLReference: Hashable, Sendable {
    let text: String
    /// The name of the parameter with the reference, for errors.
    let parameter: String
}

extension HTTPTask {
    /// Returns the same task, sent to another URL of the server.
    ///
    /// The request fails with ``RequestURLError`` if the URL has another origin than the endpoint, whose base URL an application may have
    /// replaced.
    ///
    /// - Parameters:
    ///   - reference: The URL, absolute or relative to the URL of the endpoint.
    ///   - parameter: The name of the parameter with the URL, for errors.
    /// - Returns: The task.
    package func sent(toURL reference: String, parameter: String) -> HTTPTask {
        ExtendedTask.request(.reference(self, URLReference(text: reference, parameter: parameter)))
    }
}

extension URLRequest {
    /// Replaces the URL by the one that a reference leads to.
    ///
    /// - Throws: ``RequestURLError``.
    mutating func follow(_ reference: URLReference) throws(RequestURLError) {
        guard !reference.text.isEmpty, URL(strictly: reference.text) != nil,
            let url = URL(string: reference.text, relativeTo: url)?.absoluteURL.withoutCredentials,
            ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false, url.hasValidPort
        else { throw RequestURLError(parameter: reference.parameter, reason: .invalid) }
        guard let target = self.url, url.mayGetCredentials(of: target) else {
            throw RequestURLError(parameter: reference.parameter, reason: .otherOrigin)
        }
        self.url = url
    }
}
