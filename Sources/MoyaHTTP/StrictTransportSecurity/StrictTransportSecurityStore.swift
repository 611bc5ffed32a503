import Foundation
import HTTPTypes

/// The hosts that require TLS (HSTS, RFC 6797): a session with a store replaces `http` by `https` in the URLs of their requests and
/// redirects, before anything is sent.
///
///     let store = StrictTransportSecurityStore()
///     let session = Session(options: SessionOptions(strictTransportSecurity: store))
///
/// A host is added when one of its responses over TLS has a valid `Strict-Transport-Security` field. IP addresses are never added,
/// and there is no list of preloaded hosts. Sessions that share a store share its hosts.
///
/// The store is in memory. An application that keeps its ``policies`` passes them to the store of the next launch.
public final class StrictTransportSecurityStore: Sendable {
    private let table: Locked<StrictTransportSecurityTable>
    private let now: @Sendable () -> Date

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - policies: The policies that the store begins with. Those of IP addresses and those that have expired are ignored.
    ///   - maximumHostCount: The maximum number of hosts. A further host replaces the one that was not used for the longest time.
    ///   - now: Returns the current time; for tests.
    public init(
        policies: [StrictTransportSecurityPolicy] = [],
        maximumHostCount: Int = 1_000,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var table = StrictTransportSecurityTable(maximumHostCount: maximumHostCount)
        let date = now()
        for policy in policies {
            guard let host = StrictTransportSecurityHost(policy.host) else { continue }
            table.store(host, includesSubdomains: policy.includesSubdomains, expires: policy.expires, at: date)
        }
        self.table = Locked(table)
        self.now = now
    }

    /// The policies that have not expired, in the order of their hosts.
    public var policies: [StrictTransportSecurityPolicy] {
        let now = now()
        return table.withLock { $0.policies(at: now) }
    }

    /// Removes all hosts.
    public func removeAll() { table.withLock { $0.removeAll() } }

    /// Returns the `https` URL that replaces an `http` URL; `nil` if the URL is to be used unchanged.
    func upgradedURL(for url: URL) -> URL? {
        guard let origin = Origin(url), origin.scheme == "http", let host = StrictTransportSecurityHost(origin.host)
        else { return nil }
        let now = now()
        return table.withLock { $0.requiresTLS(host, at: now) } ? url.withTLS : nil
    }

    /// Stores or ends the policy of a host after its response (RFC 6797, section 8.1).
    func record(_ response: TransportResponse, from url: URL) {
        guard response.fields.contains(.strictTransportSecurity),
            let field = StrictTransportSecurityField(response.headers), let origin = Origin(url),
            origin.scheme == "https", let host = StrictTransportSecurityHost(origin.host),
            // A proxy sends this status.
            response.status != 407
        else { return }
        let now = now()
        table.withLock { $0.store(field, of: host, at: now) }
    }
}

extension URL {
    /// The `https` URL that replaces an `http` URL (RFC 6797, section 8.3): an explicit port 80 becomes 443, and other ports are kept.
    fileprivate var withTLS: URL {
        var reference = URLReference(absoluteString)
        reference.scheme = "https"
        if port == 80, let authority = reference.authority, let colon = authority.lastIndex(of: ":") {
            reference.authority = "\(authority[..<colon]):443"
        }
        // Only the scheme and the port have changed, so the text is a URL.
        return URL(string: reference.text) ?? self
    }
}
