import Foundation
import HTTPTypes

/// The checked fields of a session's requests.
///
/// Most requests of a session have the headers of the request before, so the fields of the last headers are kept: to check the headers,
/// and to add the session's, would be a large part of a small request's work.
final class RequestFields: Sendable {
    /// The fields that are added to a request if it does not have them.
    let added: Result<HTTPFields, RequestValidationError>
    private let last = Locked<(headers: [String: String], fields: HTTPFields)?>(nil)

    init(adding added: Result<HTTPFields, RequestValidationError>) { self.added = added }

    /// Returns the fields of a request with these headers, and with the added ones.
    func fields(of headers: [String: String]) throws(RequestValidationError) -> HTTPFields {
        if let last = last.withLock({ $0 }), last.headers.isIdentical(to: headers) { return last.fields }
        let fields = try HTTPFields(checking: headers, and: added.get())
        last.withLock { $0 = (headers, fields) }
        return fields
    }
}

extension [String: String] {
    /// Returns whether names and values have the same bytes, unlike `==`, for which texts with the same characters are equal.
    fileprivate func isIdentical(to other: Self) -> Bool {
        guard count == other.count else { return false }
        for (name, value) in other {
            guard let index = index(forKey: name) else { return false }
            let (key, known) = self[index]
            guard key.hasBytes(of: name), known.hasBytes(of: value) else { return false }
        }
        return true
    }
}

extension String {
    // `elementsEqual` takes fifty instructions for each byte.
    fileprivate func hasBytes(of other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard one.count == other.count, let start = one.baseAddress, let otherStart = other.baseAddress else {
                    return one.count == other.count
                }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
    }
}
