import HTTPTypes

/// Records the fields with which the exchanges of a fetch were sent, because a middleware below the cache may change them.
final class SentFields: Sendable {
    private let sent = Locked<[HTTPFields]>([])

    /// Records the fields of an exchange.
    func record(_ fields: HTTPFields) { sent.withLock { $0.append(fields) } }

    /// Returns whether all exchanges had the credentials, the `Host` and the selecting fields by which the cache would find a
    /// response (RFC 9111, sections 3.5 and 4.1).
    func match(_ request: CacheRequest, selecting fields: [String: String?]) -> Bool {
        sent.withLock { $0 }.allSatisfy { sent in
            [.authorization, .hostField].allSatisfy { sent[fields: $0] == request.headers[fields: $0] }
                && SelectingFields.matches(fields, in: sent)
        }
    }
}
