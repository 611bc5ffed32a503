import Foundation

extension URLEncodedFormEncoder {
    /// The order of pairs.
    public enum KeyOrder: Sendable, Equatable {
        /// Sorted by name at every level, so that equal values have the same text, as caches and signatures
        /// require.
        case alphabetical
        /// In the order of encoding.
        ///
        /// The order of dictionary keys differs between runs.
        case asEncoded
    }

    /// The style for `Data`.
    public enum DataEncoding: Sendable {
        /// As `Data` encodes itself: an array of bytes.
        case deferredToData
        /// Base64 (RFC 4648, section 4).
        case base64
        /// A function of the data.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The style for dates.
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since 2001-01-01T00:00:00Z.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z, with a fraction only if it is not zero.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z, with a fraction only if it is not zero.
        case millisecondsSince1970
        /// `2001-02-03T04:05:06Z` (RFC 3339, section 5.6), for the years 0 to 9999.
        case iso8601
        /// The text of a formatter.
        case formatted(DateFormatter)
        /// A function of the date.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The style for the names of nested properties.
    public enum KeyPathEncoding: Sendable {
        /// Brackets: `a[b]=1`.
        case brackets
        /// Dots: `a.b=1`.
        case dots
        /// A function of the outer and the inner name.
        case custom(@Sendable (_ parent: String, _ key: String) -> String)

        func name(for key: String, in parent: String) -> String {
            switch self {
            case .brackets: "\(parent)[\(key)]"
            case .dots: "\(parent).\(key)"
            case .custom(let name): name(parent, key)
            }
        }
    }

    /// The style for `nil`.
    public enum NilEncoding: Sendable {
        /// The pair is omitted.
        case dropKey
        /// The value is empty: `a=`.
        case dropValue
        /// The value is `null`: `a=null`.
        case null
        /// A function of the full name; `nil` omits the pair.
        case custom(@Sendable (_ name: String) -> String?)

        func text(for name: String) -> String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            case .custom(let text): text(name)
            }
        }
    }

    /// The style for spaces.
    public enum SpaceEncoding: Sendable, Equatable {
        /// `%20`, which every parser supports.
        case percentEscaped
        /// `+`, as browsers write in forms.
        case plus
    }

    /// The set of escaped characters.
    public enum Escaping: Sendable, Equatable {
        /// As in ``URLEncoding``: all characters except the unreserved ones of RFC 3986 (section 2.3), `/` and `?`.
        case rfc3986
        /// As in the `application/x-www-form-urlencoded` serializer of the WHATWG URL standard (section 5.2): all
        /// characters except letters, digits and `*-._`.
        case whatwg
    }
}
