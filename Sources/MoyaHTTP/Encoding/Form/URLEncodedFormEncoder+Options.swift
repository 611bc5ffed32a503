import Foundation

extension URLEncodedFormEncoder {
    /// In which order pairs are written.
    public enum KeyOrder: Sendable, Equatable {
        /// Sorted by name at every level, whatever order the value encodes them in. The same value gives the same
        /// text, which caches and signatures need.
        case alphabetical
        /// As the value encodes them; the order of a dictionary's keys changes from run to run.
        case asEncoded
    }

    /// How `Data` is written.
    public enum DataEncoding: Sendable {
        /// As `Data` encodes itself: an array of bytes.
        case deferredToData
        /// In base 64 (RFC 4648, section 4).
        case base64
        /// As the function says.
        case custom(@Sendable (Data) throws -> String)
    }

    /// How dates are written.
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since 2001-01-01T00:00:00Z.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z, without a fraction where there is none.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z, without a fraction where there is none.
        case millisecondsSince1970
        /// `2001-02-03T04:05:06Z` (RFC 3339, section 5.6), for the years 0 to 9999.
        case iso8601
        /// As the formatter writes them.
        case formatted(DateFormatter)
        /// As the function says.
        case custom(@Sendable (Date) throws -> String)
    }

    /// How the name of a property within a property is written.
    public enum KeyPathEncoding: Sendable {
        /// `a[b]=1`
        case brackets
        /// `a.b=1`
        case dots
        /// As the function says, given the outer name and the inner one.
        case custom(@Sendable (_ parent: String, _ key: String) -> String)

        func name(for key: String, in parent: String) -> String {
            switch self {
            case .brackets: "\(parent)[\(key)]"
            case .dots: "\(parent).\(key)"
            case .custom(let name): name(parent, key)
            }
        }
    }

    /// How `nil` is written.
    public enum NilEncoding: Sendable {
        /// Not at all.
        case dropKey
        /// `a=`
        case dropValue
        /// `a=null`
        case null
        /// As the function says, given the whole name; `nil` drops the pair.
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

    /// How spaces are written.
    public enum SpaceEncoding: Sendable, Equatable {
        /// `%20`, which every reader understands.
        case percentEscaped
        /// `+`, as browsers write it in forms.
        case plus
    }

    /// Which characters are escaped.
    public enum Escaping: Sendable, Equatable {
        /// As ``URLEncoding`` does: all but the unreserved characters of RFC 3986 (section 2.3), `/` and `?`.
        case rfc3986
        /// As the `application/x-www-form-urlencoded` serializer of the WHATWG URL standard (section 5.2) does: all but
        /// letters, digits and `*-._`.
        case whatwg
    }
}
