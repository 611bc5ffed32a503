import HTTPTypes

/// The names of fields that most requests and responses have, found by their bytes.
///
/// A parser does not have to check a known name, convert it to lowercase, or store it again for each message. The spelling of the
/// sender is kept, because a name is found only if its bytes are the same.
@usableFromInline package enum KnownFieldNames {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let bytes: [UInt8]
        @usableFromInline let name: HTTPField.Name
    }

    private static let texts = [
        "Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers", "Age", "Alt-Svc", "Authorization", "Cache-Control", "Connection",
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Security-Policy", "Content-Type", "Cookie",
        "Date",
        "ETag", "Etag", "Expires", "If-Modified-Since", "If-None-Match", "Keep-Alive", "Last-Modified", "Link",
        "Location",
        "Pragma", "Range", "Referrer-Policy", "Retry-After", "Server", "Set-Cookie", "Strict-Transport-Security",
        "Transfer-Encoding", "User-Agent", "Vary", "Via", "X-Cache", "X-Content-Type-Options", "X-Frame-Options",
        "X-Powered-By", "X-Request-ID", "X-Request-Id", "X-XSS-Protection",
    ]

    /// The entries by the length of their names.
    @usableFromInline static let byLength: [[Entry]] = {
        let spellings = Set(texts + texts.map { $0.lowercased() }).sorted()
        let longest = spellings.map(\.utf8.count).max() ?? 0
        var table = Array(repeating: [Entry](), count: longest + 1)
        for text in spellings {
            if let name = HTTPField.Name(text) {
                table[text.utf8.count].append(Entry(bytes: Array(text.utf8), name: name))
            }
        }
        return table
    }()

    /// Returns the known name with these bytes, if there is one.
    @inlinable package static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        let table = byLength
        guard bytes.count < table.count, let first = bytes.first else { return nil }
        for entry in table[bytes.count] where entry.bytes[0] == first {
            let isEqual = entry.bytes.withUnsafeBytes { known in
                for index in 0..<known.count where known[index] != bytes[index] { return false }
                return true
            }
            if isEqual { return entry.name }
        }
        return nil
    }
}

extension HTTPField.Name {
    /// Creates a name like ``init(_:)``, but faster if the name is known.
    ///
    /// - Returns: `nil` if the text is not a token (RFC 9110, section 5.1).
    package init?(checking text: String) {
        var text = text
        if let known = text.withUTF8({ KnownFieldNames.name(UnsafeRawBufferPointer($0)) }) {
            self = known
        } else {
            self.init(text)
        }
    }
}

// Names of fields that HTTPTypes does not offer.
extension HTTPField.Name {
    package static let hostField = HTTPField.Name("Host")!
    /// `Pragma`, with the `no-cache` directive of HTTP/1.0 (RFC 9111, section 5.4).
    package static let pragma = HTTPField.Name("Pragma")!
}
