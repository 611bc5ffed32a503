import HTTPTypes

/// The names of fields about which a scan of field lines keeps a record, as a set.
///
/// They are the names about which an engine or a stage asks for each response. The record answers without a search, and without the
/// creation of a text for each field. A stage that asks about another name for each response needs a member here.
@usableFromInline package struct ScannedFieldNames: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable package static var connection: Self { Self(rawValue: 1 << 0) }
    @inlinable package static var keepAlive: Self { Self(rawValue: 1 << 1) }
    @inlinable package static var contentLength: Self { Self(rawValue: 1 << 2) }
    @inlinable package static var transferEncoding: Self { Self(rawValue: 1 << 3) }
    @inlinable package static var contentEncoding: Self { Self(rawValue: 1 << 4) }
    @inlinable package static var setCookie: Self { Self(rawValue: 1 << 5) }
    @inlinable package static var cacheControl: Self { Self(rawValue: 1 << 6) }
    @inlinable package static var expires: Self { Self(rawValue: 1 << 7) }
    @inlinable package static var eTag: Self { Self(rawValue: 1 << 8) }
    @inlinable package static var lastModified: Self { Self(rawValue: 1 << 9) }
    @inlinable package static var strictTransportSecurity: Self { Self(rawValue: 1 << 10) }
    @inlinable package static var location: Self { Self(rawValue: 1 << 11) }
    @inlinable package static var contentLocation: Self { Self(rawValue: 1 << 12) }
    @inlinable package static var retryAfter: Self { Self(rawValue: 1 << 13) }
    /// All names that begin with `RateLimit` or `X-Rate`.
    @inlinable package static var rateLimit: Self { Self(rawValue: 1 << 14) }

    /// Creates the set of this name, in any case; empty if the scan keeps no record about it.
    ///
    /// - Parameter name: The bytes of a token.
    package init(of name: UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where name.isToken("etag"): self = .eTag
        case 7 where name.isToken("expires"): self = .expires
        case 8 where name.isToken("location"): self = .location
        case 10 where name.isToken("connection"): self = .connection
        case 10 where name.isToken("keep-alive"): self = .keepAlive
        case 10 where name.isToken("set-cookie"): self = .setCookie
        case 11 where name.isToken("retry-after"): self = .retryAfter
        case 13 where name.isToken("cache-control"): self = .cacheControl
        case 13 where name.isToken("last-modified"): self = .lastModified
        case 14 where name.isToken("content-length"): self = .contentLength
        case 16 where name.isToken("content-encoding"): self = .contentEncoding
        case 16 where name.isToken("content-location"): self = .contentLocation
        case 17 where name.isToken("transfer-encoding"): self = .transferEncoding
        case 25 where name.isToken("strict-transport-security"): self = .strictTransportSecurity
        case 6... where name.begins(with: "x-rate"): self = .rateLimit
        case 9... where name.begins(with: "ratelimit"): self = .rateLimit
        default: self = []
        }
    }

    /// Creates the set of this name; empty if a scan keeps no record about it.
    package init(of name: HTTPField.Name) {
        var text = name.canonicalName
        self = text.withUTF8 { Self(of: UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the token is this one, which has the same length, and consists of small letters and hyphens.
    fileprivate func isToken(_ lowercased: StaticString) -> Bool {
        begins(with: lowercased)
    }

    /// Returns whether the token begins with this one, which is not longer, and consists of small letters and hyphens.
    fileprivate func begins(with lowercased: StaticString) -> Bool {
        // Of the bytes that a token may have, only the letter and the hyphen itself become the same by this bit.
        for index in 0..<lowercased.utf8CodeUnitCount where self[index] | 0x20 != lowercased.utf8Start[index] {
            return false
        }
        return true
    }
}
