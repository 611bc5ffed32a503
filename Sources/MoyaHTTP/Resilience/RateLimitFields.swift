import Foundation
import HTTPTypes

/// The rate limits of a server that the fields of a response describe, parsed leniently: invalid values are ignored.
///
/// These fields are known:
/// - `Retry-After` in a response with the status 403, 429 or 503.
/// - `RateLimit` and `RateLimit-Policy`: lists of structured fields (draft-ietf-httpapi-ratelimit-headers-08 and later, as in
///   `"default";r=50;t=30`) or dictionaries (-07, as in `limit=100, remaining=50, reset=30`).
/// - `RateLimit-Limit`, `-Remaining` and `-Reset` (-06 and earlier), and the same with the prefixes `X-` (GitHub, Reddit, Discord, …)
///   and `X-Rate-Limit-` (X), also with the suffix `-Requests` (OpenAI).
struct RateLimitFields: Equatable, Sendable {
    /// A number of requests in a time window.
    struct Quota: Equatable, Sendable {
        /// The number of requests in a whole window.
        var limit: Int?
        /// The number of requests that may still be sent.
        var remaining: Int
        /// The time until there are more.
        var reset: Duration?
        /// The length of a window.
        var window: Duration?
    }

    /// The delay before the next request.
    var retryAfter: Duration?
    /// The quota with the fewest requests left; of several, the one with the latest reset.
    var quota: Quota?

    /// Creates the description; `nil` if the response has none of the fields, or only invalid ones.
    ///
    /// A date is relative to the response's own date, or to `now`.
    init?(_ headers: HTTPFields, status: Int, now: Date) {
        // One pass over the names, because almost all responses have none of the fields.
        var (list, policies): (String?, String?)
        var families: [SeparateFields] = []
        for field in headers where field.name.canonicalName.canBeRateLimitName {
            switch field.name.canonicalName {
            case "ratelimit": list = list.map { "\($0), \(field.value)" } ?? field.value
            case "ratelimit-policy": policies = policies.map { "\($0), \(field.value)" } ?? field.value
            case let name: SeparateFields.add(name, field.value, to: &families)
            }
        }
        if [403, 429, 503].contains(status), headers.contains(.retryAfter) {
            retryAfter = RetryAfter(headers, now: now)?.delay
        }
        let members = policies.map { ListMember.members(of: $0) } ?? []
        let quotas =
            (list.map { Self.listed($0, members) } ?? [])
            + families.flatMap { family in
                Self.quota(
                    limit: family.limit,
                    remaining: family.remaining,
                    reset: family.resetAfter.flatMap { Self.number($0) }
                        ?? family.reset.flatMap { Self.seconds($0, headers, now: now) },
                    window: members.first?.parameters["w"]
                )
            }
        quota = quotas.min { ($0.remaining, $1.reset ?? .zero) < ($1.remaining, $0.reset ?? .zero) }
        if retryAfter == nil, quota == nil { return nil }
    }

    /// Reads `RateLimit` and `RateLimit-Policy`.
    private static func listed(_ text: String, _ policies: [ListMember]) -> [Quota] {
        let members = ListMember.members(of: text)
        if members.contains(where: { $0.item.hasPrefix("remaining=") }) {
            let pairs = members.map { $0.item.split(separator: "=", maxSplits: 1).map(String.init) }
                .filter { $0.count == 2 }
            let values = Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
            return quota(
                limit: values["limit"],
                remaining: values["remaining"],
                reset: values["reset"].flatMap { number($0) },
                window: policies.first?.parameters["w"]
            )
        }
        return members.flatMap { member in
            let policy = policies.first { $0.item == member.item }?.parameters
            return quota(
                limit: policy?["q"],
                remaining: member.parameters["r"],
                reset: member.parameters["t"].flatMap { number($0) },
                window: policy?["w"]
            )
        }
    }

    private static func quota(limit: String?, remaining: String?, reset: Double?, window: String?) -> [Quota] {
        guard let remaining = remaining.flatMap({ number($0) }) else { return [] }
        return [
            Quota(
                limit: limit.flatMap { number($0) }.map { Int(min($0, 1e9)) },
                remaining: Int(min(remaining, 1e9)),
                reset: reset.map { Duration(clampingSeconds: $0) },
                window: window.flatMap { number($0) }.map { Duration(clampingSeconds: $0) }
            )
        ]
    }

    /// Returns the seconds until a reset, which is a number of seconds, a time since 1970 in seconds or milliseconds, or a duration
    /// such as `6m0.5s`.
    ///
    /// The magnitude decides: a billion seconds since 1970 was in 2001, and no server wants a client to wait for 31 years.
    private static func seconds(_ text: String, _ headers: HTTPFields, now: Date) -> Double? {
        guard let number = number(text) else { return duration(text) }
        guard number >= 1e9 else { return number }
        // The server's clock may differ from ours.
        let date = headers[.date].flatMap { HTTPDate(fixdate: $0) }.map { Double($0.seconds) }
        return max(0, (number >= 1e12 ? number / 1000 : number) - (date ?? now.timeIntervalSince1970))
    }

    /// Returns the number at the beginning of a value, before a comma or a semicolon; `nil` if the text is not a number.
    private static func number(_ text: some StringProtocol) -> Double? {
        var (number, scale, hasDigits, hasEnded) = (0.0, 0.0, false, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !hasEnded:
                number = number * 10 + Double(byte - UInt8(ascii: "0"))
                scale *= 10
                hasDigits = true
            case UInt8(ascii: ".") where hasDigits && scale == 0 && !hasEnded: scale = 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"): hasEnded = hasDigits
            case UInt8(ascii: ","), UInt8(ascii: ";"): return result()
            default: return nil
            }
        }
        func result() -> Double? {
            let value = scale > 1 ? number / scale : number
            return hasDigits && value.isFinite ? value : nil
        }
        return result()
    }

    /// Returns the seconds of a duration such as `1h2m3.5s` or `20ms`; `nil` for any other text.
    private static func duration(_ text: String) -> Double? {
        var rest = text.withoutOptionalWhitespace[...]
        guard !rest.isEmpty else { return nil }
        var seconds = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let value = number(digits), let factor = ["h": 3600, "m": 60, "s": 1, "ms": 0.001][unit] else {
                return nil
            }
            seconds += value * factor
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return seconds
    }
}

/// A member of a list of structured fields with its parameters (RFC 9651, section 3.1), parsed leniently.
private struct ListMember {
    /// The item, without the quotes of a string.
    let item: String
    /// The parameters by their names.
    let parameters: [String: String]

    /// Returns the members of a list.
    static func members(of text: String) -> [ListMember] {
        var reader = FieldReader(text.utf8)
        var members: [ListMember] = []
        func takePart() -> String {
            let part = reader.takeUnlessQuoted { $0 != .comma && $0 != .semicolon }
            return String(decoding: part, as: UTF8.self).withoutOptionalWhitespace
        }
        while !reader.isAtEnd {
            let item = takePart()
            var parameters: [String: String] = [:]
            while reader.skipIf(.semicolon) {
                let pair = takePart().split(separator: "=", maxSplits: 1)
                if pair.count == 2 { parameters[String(pair[0])] = String(pair[1]) }
            }
            _ = reader.skipIf(.comma)
            if !item.isEmpty { members.append(ListMember(item: item.filter { $0 != "\"" }, parameters: parameters)) }
        }
        return members
    }
}

/// The fields with one value each, whose names have the same prefix and suffix.
private struct SeparateFields {
    let prefix: String
    let isOfRequests: Bool
    var limit: String?
    var remaining: String?
    var reset: String?
    var resetAfter: String?

    private static let prefixes = ["x-ratelimit-", "ratelimit-", "x-rate-limit-"]
    private static let suffix = "-requests"

    /// Adds a field with a lowercase name to its family; does nothing for other fields.
    ///
    /// The first of several values is used.
    static func add(_ name: String, _ value: String, to families: inout [SeparateFields]) {
        guard let prefix = prefixes.first(where: { name.hasPrefix($0) }) else { return }
        let isOfRequests = name.hasSuffix(suffix)
        let kind = name.dropFirst(prefix.count).dropLast(isOfRequests ? suffix.count : 0)
        let index = families.firstIndex { $0.prefix == prefix && $0.isOfRequests == isOfRequests }
        if index == nil { families.append(SeparateFields(prefix: prefix, isOfRequests: isOfRequests)) }
        let place = index ?? families.count - 1
        switch kind {
        case "limit": families[place].limit = families[place].limit ?? value
        case "remaining": families[place].remaining = families[place].remaining ?? value
        case "reset": families[place].reset = families[place].reset ?? value
        case "reset-after": families[place].resetAfter = families[place].resetAfter ?? value
        default: break
        }
    }
}

extension String {
    /// Whether a lowercase field name may be that of a rate limit.
    fileprivate var canBeRateLimitName: Bool {
        switch utf8.first {
        case UInt8(ascii: "r"): hasPrefix("ratelimit")
        case UInt8(ascii: "x"): hasPrefix("x-rate")
        default: false
        }
    }
}
