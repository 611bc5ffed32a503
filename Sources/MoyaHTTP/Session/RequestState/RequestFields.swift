import Foundation
import HTTPTypes

/// The checked fields of a session's requests.
///
/// Most requests of a session have the headers of the request before, so the fields of the last headers are kept: to check the headers,
/// and to add the session's, would be a large part of a small request's work.
final class RequestFields: Sendable {
    /// The fields that are added to a request if it does not have them.
    let added: Result<HTTPFields, RequestValidationError>
    private let last = Locked<(headers: [(name: String, value: String)], fields: HTTPFields)?>(nil)
    /// The maximum number of headers that are kept, because they are searched one after the other.
    private static let maximumCount = 16

    init(adding added: Result<HTTPFields, RequestValidationError>) { self.added = added }

    /// Returns the fields of a request with these headers, and with the added ones.
    func fields(of headers: [String: String]) throws(RequestValidationError) -> HTTPFields {
        if let last = last.withLock({ $0 }), headers.haveBytes(of: last.headers) { return last.fields }
        let fields = try HTTPFields(checking: headers, and: added.get())
        if headers.count <= Self.maximumCount { last.withLock { $0 = (headers.map { ($0.key, $0.value) }, fields) } }
        return fields
    }
}

extension [String: String] {
    /// Returns whether the names and values have the same bytes as those of a list, unlike `==`, for which texts with the same characters
    /// are equal.
    // A search in the list takes fewer instructions than the hash of a name.
    fileprivate func haveBytes(of known: [(name: String, value: String)]) -> Bool {
        guard count == known.count else { return false }
        for (name, value) in self {
            guard known.contains(where: { $0.name.hasBytes(of: name) && $0.value.hasBytes(of: value) }) else {
                return false
            }
        }
        return true
    }
}

extension String {
    // `elementsEqual` takes fifty instructions for each byte.
    fileprivate func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
    }
}
