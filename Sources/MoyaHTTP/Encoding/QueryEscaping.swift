import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension String {
    /// The text with all characters percent-encoded in UTF-8, except unreserved characters (RFC 3986, section 2.3),
    /// `/` and `?`.
    package var percentEncodedForQuery: String { percentEncoded(keeping: .query) }
}

extension URL {
    /// Returns the URL with an escaped query appended to its query, keeping the fragment.
    func appendingQuery(_ query: String) -> URL? {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<end]
        let separator =
            switch base.firstIndex(of: "?") {
            case nil: "?"
            case let mark? where base.index(after: mark) == base.endIndex: ""
            case _?: "&"
            }
        return URL(string: base + separator + query + text[end...])
    }
}

extension URLRequest {
    /// Sets the content type, unless the request has one.
    package mutating func setContentTypeIfAbsent(_ type: String) {
        guard value(forHTTPHeaderField: "Content-Type") == nil else { return }
        // Not with setValue: Foundation silently drops a value with a line break, which the session would reject
        // with an error; and on Linux it is slower than the rest of creating a request.
        allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).merging(["Content-Type": type]) { $1 }
    }

    /// Writes escaped pairs into the query or, with the content type of a form, into the body.
    ///
    /// - Throws: ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    mutating func putForm(_ pairs: String, into destination: URLEncoding.Destination) throws {
        // On Linux, modifying a request without a URL crashes.
        guard let url else { throw RequestValidationError.invalidURL("") }
        if destination.isQuery(for: httpMethod) {
            guard !pairs.isEmpty else { return }
            guard let extended = url.appendingQuery(pairs) else {
                throw RequestValidationError.invalidURL(url.withoutCredentials.absoluteString)
            }
            self.url = extended
        } else {
            setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
            httpBody = Data(pairs.utf8)
        }
    }
}
