import HTTPTypes

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
///
/// Names are case-insensitive. Directives that the cache does not know are ignored.
struct CacheControl: Equatable, Sendable {
    /// A number of seconds in a directive.
    enum Seconds: Equatable, Sendable {
        case valid(Double)
        /// The text is not a number of seconds.
        case invalid
    }

    private(set) var isPresent = false
    private(set) var noStore = false
    /// Whether there is a `no-cache` directive without field names.
    private(set) var noCache = false
    /// The field names of `no-cache`, in lowercase.
    private(set) var noCacheFields: [String] = []
    private(set) var isPublic = false
    private(set) var isPrivate = false
    private(set) var mustRevalidate = false
    private(set) var mustUnderstand = false
    private(set) var isImmutable = false
    private(set) var onlyIfCached = false
    private(set) var maxAge: Seconds?
    private(set) var minFresh: Seconds?
    /// The staleness that a request accepts; infinite for `max-stale` without a value.
    private(set) var maxStale: Seconds?
    private(set) var staleWhileRevalidate: Seconds?
    private(set) var staleIfError: Seconds?

    init(_ headers: HTTPFields) {
        guard headers.contains(.cacheControl) else { return }
        isPresent = true
        for field in headers[fields: .cacheControl] { read(field.value) }
    }

    private mutating func read(_ text: String) {
        var reader = FieldReader(text.utf8)
        while !reader.isAtEnd {
            reader.skip { $0.isFieldSpace || $0 == .comma }
            let name = String(decoding: reader.take(while: \.isToken), as: UTF8.self).lowercased()
            guard !name.isEmpty else {
                reader.skipElement()
                continue
            }
            var value: String?
            if reader.skipIf(.equals) {
                if reader.skipIf(.quote) {
                    value = String(decoding: reader.takeQuoted().content, as: UTF8.self)
                } else {
                    value = String(decoding: reader.take { $0 != .comma }, as: UTF8.self).withoutOptionalWhitespace
                }
            }
            reader.skipElement()
            apply(name, value)
        }
    }

    private mutating func apply(_ name: String, _ value: String?) {
        switch name {
        case "no-store": noStore = true
        case "no-cache":
            let names = value?.lowercasedListElements ?? []
            if names.isEmpty { noCache = true } else { noCacheFields += names }
        case "public": isPublic = true
        case "private": isPrivate = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": isImmutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = Self.shorter(maxAge, Self.seconds(value))
        case "min-fresh": minFresh = Self.seconds(value)
        case "max-stale": maxStale = value == nil ? .valid(.infinity) : Self.seconds(value)
        case "stale-while-revalidate": staleWhileRevalidate = Self.shorter(staleWhileRevalidate, Self.seconds(value))
        case "stale-if-error": staleIfError = Self.shorter(staleIfError, Self.seconds(value))
        default: break
        }
    }

    /// Returns the safer one of two values of the same directive (RFC 9111, section 4.2.1).
    private static func shorter(_ one: Seconds?, _ other: Seconds) -> Seconds {
        switch (one, other) {
        case (nil, let only): only
        case (.invalid, _), (_, .invalid): .invalid
        case (.valid(let one), .valid(let other)): .valid(min(one, other))
        }
    }

    private static func seconds(_ text: String?) -> Seconds {
        text.flatMap { DeltaSeconds.parse($0) }.map { .valid($0) } ?? .invalid
    }
}

extension CacheControl.Seconds? {
    /// The value, if there is a valid one.
    var value: Double? { if case .valid(let seconds)? = self { seconds } else { nil } }
}
