import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A test case for a rule of RFC 9111 or of an RFC that extends it.
struct CacheRuleCase: Sendable, CustomTestStringConvertible {
    let section: String
    let rule: String
    /// The fields of the stored response.
    var response: HTTPFields = [:]
    var status = 200
    /// The number of seconds since the response arrived.
    var after: Double = 0
    var request: HTTPFields = [:]
    var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    let expected: String

    var testDescription: String { "\(section) \(rule)" }

    static let time: Double = 1_800_000_000
    static func date(_ offset: Double) -> String { CachedServer.date(time + offset) }

    /// The expected decision about a request after the response has arrived.
    var actual: String {
        let key = CacheKey.test("/a")
        let first = CacheRequest(method: .get, key: key)
        let stored = CacheRules.headToStore(
            TransportResponse(status: status, headers: response),
            for: first,
            during: ExchangeTimes(requestTime: Self.time, responseTime: Self.time),
            keepsForOfflineUse: false
        )
        guard let stored else { return "not stored" }
        let entry = CacheEntry(id: CacheEntry.ID(rawValue: 1), key: key, head: stored, bodySize: 10)
        let second = CacheRequest(method: .get, key: key, headers: request, policy: policy)
        switch CacheRules.decide(second, entries: [entry], now: Self.time + after) {
        case .use(let selection, nil): return selection.isStale ? "use stale" : "use"
        case .use: return "use and validate"
        case .send(for: .validation(_, let fields)):
            return "validate " + fields.map(\.name.canonicalName).sorted().joined(separator: " ")
        case .send(for: .completion): return "complete"
        case .send(for: .load): return "load"
        case .unavailable: return "unavailable"
        }
    }
}

@Suite("The rules of the cache follow RFC 9111")
struct CacheRulesTests {
    @Test(
        "an entity tag validates a stored response with or without quotes, unless it is empty or *",
        arguments: [(#""a""#, #""a""#), (#"W/"a""#, #"W/"a""#), ("a", "a"), ("*", nil), ("", nil)]
            as [(String, String?)]
    )
    func validators(tag: String, sent: String?) {
        let response = CachedHead(status: 200, headers: [.eTag: tag], requestTime: 1, responseTime: 2)
        #expect(CacheRules.conditions(for: response)?[.ifNoneMatch] == sent)
    }

    @Test(
        "RFC 9110, 13.1.5: the rest of a stored part is requested with a strong tag, or with a date if there is no tag",
        arguments: [
            (#""a""#, #""a""#), (#""""#, #""""#), ("*", Case.date(-100)), ("", Case.date(-100)), (nil, Case.date(-100)),
            (#"W/"a""#, nil), ("a", nil), (#""a"#, nil), (#"""#, nil), (#""a b""#, nil),
        ] as [(String?, String?)]
    )
    func rangeValidators(tag: String?, sent: String?) {
        var headers: HTTPFields = [.lastModified: Case.date(-100), .date: Case.date(0), .cacheControl: "max-age=1"]
        if let tag { headers[.eTag] = tag }
        let response = CachedHead(
            status: 206,
            headers: headers,
            requestTime: Case.time,
            responseTime: Case.time,
            part: .init(start: 0, completeLength: 20)
        )
        let key = CacheKey.test("/a")
        let entry = CacheEntry(id: CacheEntry.ID(rawValue: 1), key: key, head: response, bodySize: 10)
        let decision = CacheRules.decide(CacheRequest(method: .get, key: key), entries: [entry], now: Case.time)
        var condition: String?
        if case .send(for: .completion(_, adding: let fields)) = decision { condition = fields[.ifRange] }
        #expect(condition == sent)
    }

    @Test(
        "RFC 9110, 8.8.2.2: a date is a strong validator if it is at least a second before Date",
        arguments: [(60, true), (59, true), (1, true), (0, false), (-1, false)] as [(Double, Bool)]
    )
    func strongDates(age: Double, isStrong: Bool) {
        let head = CachedHead(
            status: 206,
            headers: [.lastModified: Case.date(-age), .date: Case.date(0)],
            requestTime: Case.time,
            responseTime: Case.time,
            part: .init(start: 0, completeLength: 20)
        )
        let key = CacheKey.test("/a")
        let entry = CacheEntry(id: CacheEntry.ID(rawValue: 1), key: key, head: head, bodySize: 10)
        let purpose = CacheRules.completion(of: entry, for: CacheRequest(method: .get, key: key))
        #expect(purpose?.fields[.ifRange] == (isStrong ? Case.date(-age) : nil))
    }

    @Test(
        "RFC 9111, 4.3.4: an ETag that is empty or * in a 304 is no other representation, and does not replace the tag",
        arguments: [
            (#""a""#, #""a""#, #""a""#), (#""a""#, #"W/"a""#, #"W/"a""#), (#""a""#, "*", #""a""#),
            (#""a""#, "", #""a""#),
            (#""a""#, nil, #""a""#), (#""a""#, #""b""#, nil), ("", #""b""#, nil), ("*", "*", "*"),
        ] as [(String, String?, String?)]
    )
    func updatedTags(stored: String, new: String?, updated: String?) {
        let response = CachedHead(status: 200, headers: [.eTag: stored], requestTime: 1, responseTime: 2)
        var headers: HTTPFields = [.cacheControl: "max-age=60"]
        if let new { headers[.eTag] = new }
        let result = CacheRules.freshened(
            response,
            with: headers,
            for: CacheRequest(method: .get, key: .test("/a")),
            during: ExchangeTimes(requestTime: 3, responseTime: 4)
        )
        #expect(result?.headers[.eTag] == updated)
    }

    @Test(
        "RFC 9110, 13.1.2: a stored ETag that is empty or * matches no If-None-Match of the application",
        arguments: [
            (#""a""#, #"W/"a""#, StoredSelection.Form.notModified), (#""a""#, "*", .notModified), ("", "W/", .whole),
            ("*", "*", .whole),
        ]
    )
    func applicationConditions(stored: String, condition: String, form: StoredSelection.Form) {
        let response = CachedHead(
            status: 200,
            headers: [.eTag: stored, .cacheControl: "max-age=60"],
            requestTime: Case.time,
            responseTime: Case.time
        )
        let key = CacheKey.test("/a")
        let entry = CacheEntry(id: CacheEntry.ID(rawValue: 1), key: key, head: response, bodySize: 10)
        let request = CacheRequest(method: .get, key: key, headers: [.ifNoneMatch: condition])
        var used: StoredSelection.Form?
        if case .use(let selection, nil) = CacheRules.decide(request, entries: [entry], now: Case.time) {
            used = selection.form
        }
        #expect(used == form)
    }

    private typealias Case = CacheRuleCase

    static let freshnessCases: [CacheRuleCase] = [
        Case(section: "4.2.1", rule: "max-age", response: [.cacheControl: "max-age=60"], after: 59, expected: "use"),
        Case(
            section: "4.2.1",
            rule: "max-age is over",
            response: [.cacheControl: "max-age=60"],
            after: 60,
            expected: "load"
        ),
        Case(
            section: "5.2.2.1",
            rule: "max-age has precedence over Expires",
            response: [.cacheControl: "max-age=60", .date: Case.date(0), .expires: Case.date(-100)],
            after: 30,
            expected: "use"
        ),
        Case(
            section: "4.2.1",
            rule: "of two values the shorter one",
            response: [.cacheControl: "max-age=60, max-age=10", .eTag: "\"1\""],
            after: 20,
            expected: "validate if-none-match"
        ),
        Case(
            section: "4.2.1",
            rule: "an invalid max-age is stale",
            response: [.cacheControl: "max-age=6x", .eTag: "\"1\""],
            expected: "validate if-none-match"
        ),
        Case(
            section: "5.2",
            rule: "a quoted string has no directives",
            response: [.cacheControl: "x=\"a, max-age=60\"", .eTag: "\"1\""],
            expected: "validate if-none-match"
        ),
        Case(
            section: "5.2",
            rule: "without case, and quoted",
            response: [.cacheControl: "MAX-age=\"60\""],
            expected: "use"
        ),
        Case(
            section: "1.2.2",
            rule: "a number that is too large is the largest",
            response: [.cacheControl: "max-age=99999999999999999999"],
            after: 2_000_000_000,
            expected: "use"
        ),
        Case(
            section: "5.2.2.10",
            rule: "s-maxage is for shared caches",
            response: [.cacheControl: "s-maxage=60", .eTag: "\"1\""],
            expected: "validate if-none-match"
        ),
        Case(
            section: "5.3",
            rule: "Expires",
            response: [.date: Case.date(0), .expires: Case.date(60)],
            after: 59,
            expected: "use"
        ),
        Case(
            section: "5.3",
            rule: "Expires: 0 has expired",
            response: [.expires: "0", .lastModified: Case.date(-10_000)],
            expected: "validate if-modified-since"
        ),
        Case(
            section: "4.2",
            rule: "dates without case",
            response: [.date: Case.date(0), .expires: Case.date(60).lowercased()],
            after: 59,
            expected: "use"
        ),
        Case(
            section: "4.2.2",
            rule: "a tenth of the time since the last change",
            response: [.date: Case.date(0), .lastModified: Case.date(-1000)],
            after: 99,
            expected: "use"
        ),
        Case(
            section: "4.2.2",
            rule: "no estimate for a status that does not allow it",
            response: [.date: Case.date(0), .lastModified: Case.date(-1000), .cacheControl: "private"],
            status: 201,
            expected: "validate if-modified-since"
        ),
        Case(
            section: "4.2.3",
            rule: "Age counts",
            response: [.cacheControl: "max-age=60", .age: "50"],
            after: 10,
            expected: "load"
        ),
        Case(
            section: "5.1",
            rule: "an invalid Age is ignored",
            response: [.cacheControl: "max-age=60", .age: "-5"],
            expected: "use"
        ),
        Case(
            section: "4.2.3",
            rule: "a date in the past counts as age",
            response: [.cacheControl: "max-age=60", .date: Case.date(-70), .eTag: "\"1\""],
            expected: "validate if-none-match"
        ),
        Case(
            section: "4.2.3",
            rule: "a clock that was set back makes the age unknown",
            response: [.cacheControl: "max-age=60"],
            after: -100,
            expected: "load"
        ),
    ]

    static let directiveCases: [CacheRuleCase] = [
        Case(
            section: "5.2.2.5",
            rule: "no-store",
            response: [.cacheControl: "no-store, max-age=60"],
            expected: "not stored"
        ),
        Case(
            section: "3",
            rule: "events have no end",
            response: [.cacheControl: "max-age=60", .contentType: "text/event-stream; charset=utf-8"],
            expected: "not stored"
        ),
        Case(
            section: "5.2.2.3",
            rule: "must-understand with a known status",
            response: [.cacheControl: "must-understand, no-store, max-age=60"],
            expected: "use"
        ),
        Case(
            section: "5.2.2.3",
            rule: "must-understand with an unknown status",
            response: [.cacheControl: "must-understand, max-age=60"],
            status: 599,
            expected: "not stored"
        ),
        Case(
            section: "5.2.2.4",
            rule: "no-cache",
            response: [.cacheControl: "no-cache, max-age=60", .eTag: "\"1\"", .lastModified: Case.date(-1)],
            expected: "validate if-modified-since if-none-match"
        ),
        Case(
            section: "5.2.2.4",
            rule: "no-cache with field names is for these fields",
            response: [.cacheControl: "no-cache=\"a\", max-age=60"],
            expected: "use"
        ),
        Case(
            section: "5.2.2.7",
            rule: "private is for this cache",
            response: [.cacheControl: "private, max-age=60"],
            expected: "use"
        ),
        Case(
            section: "5.2.2.2",
            rule: "must-revalidate forbids what the request accepts",
            response: [.cacheControl: "max-age=1, must-revalidate"],
            after: 5,
            request: [.cacheControl: "max-stale"],
            expected: "load"
        ),
        Case(
            section: "4.1",
            rule: "Vary: * matches nothing",
            response: [.cacheControl: "max-age=60", .vary: "a, *"],
            expected: "not stored"
        ),
        Case(
            section: "3",
            rule: "206 needs a Content-Range",
            response: [.cacheControl: "max-age=60"],
            status: 206,
            expected: "not stored"
        ),
        Case(section: "3", rule: "no lifetime, no validator: of no use", expected: "not stored"),
        Case(
            section: "3",
            rule: "an unknown status with a lifetime",
            response: [.cacheControl: "max-age=60"],
            status: 599,
            expected: "use"
        ),
        Case(
            section: "RFC 5861, 3",
            rule: "stale-while-revalidate",
            response: [.cacheControl: "max-age=1, stale-while-revalidate=10"],
            after: 5,
            expected: "use and validate"
        ),
        Case(
            section: "RFC 5861, 3",
            rule: "stale-while-revalidate is over",
            response: [.cacheControl: "max-age=1, stale-while-revalidate=10"],
            after: 11,
            expected: "load"
        ),
    ]

    static let requestCases: [CacheRuleCase] = [
        Case(
            section: "5.2.1.1",
            rule: "max-age",
            response: [.cacheControl: "max-age=60"],
            after: 10,
            request: [.cacheControl: "max-age=9"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.1",
            rule: "max-age allows it",
            response: [.cacheControl: "max-age=60"],
            after: 10,
            request: [.cacheControl: "max-age=10"],
            expected: "use"
        ),
        Case(
            section: "5.2.1.2",
            rule: "max-stale",
            response: [.cacheControl: "max-age=1"],
            after: 100,
            request: [.cacheControl: "max-stale"],
            expected: "use stale"
        ),
        Case(
            section: "5.2.1.1",
            rule: "max-age limits the age of a stale response, too",
            response: [.cacheControl: "max-age=20"],
            after: 50,
            request: [.cacheControl: "max-age=10, max-stale=100"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.2",
            rule: "max-stale within max-age",
            response: [.cacheControl: "max-age=20"],
            after: 50,
            request: [.cacheControl: "max-age=60, max-stale=100"],
            expected: "use stale"
        ),
        Case(
            section: "5.2.1.2",
            rule: "max-stale with a limit",
            response: [.cacheControl: "max-age=1"],
            after: 12,
            request: [.cacheControl: "max-stale=10"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.3",
            rule: "min-fresh",
            response: [.cacheControl: "max-age=60"],
            after: 51,
            request: [.cacheControl: "min-fresh=10"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.4",
            rule: "no-cache",
            response: [.cacheControl: "max-age=60", .eTag: "\"1\""],
            request: [.cacheControl: "no-cache"],
            expected: "validate if-none-match"
        ),
        Case(
            section: "5.2.1.5",
            rule: "no-store",
            response: [.cacheControl: "max-age=60"],
            request: [.cacheControl: "no-store"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.7",
            rule: "only-if-cached",
            response: [.cacheControl: "max-age=1"],
            after: 5,
            request: [.cacheControl: "only-if-cached"],
            expected: "unavailable"
        ),
        Case(
            section: "5.4",
            rule: "Pragma: no-cache",
            response: [.cacheControl: "max-age=60"],
            request: [.pragma: "no-cache"],
            expected: "load"
        ),
        Case(
            section: "5.4",
            rule: "Cache-Control has precedence over Pragma",
            response: [.cacheControl: "max-age=60"],
            request: [.pragma: "no-cache", .cacheControl: "max-age=60"],
            expected: "use"
        ),
        Case(
            section: "RFC 9110, 13.1.1",
            rule: "If-Match is for the server",
            response: [.cacheControl: "max-age=60"],
            request: [.ifMatch: "*"],
            expected: "load"
        ),
        Case(
            section: "5.2.1.7",
            rule: "only-if-cached with no-store",
            response: [.cacheControl: "max-age=60"],
            request: [.cacheControl: "only-if-cached, no-store"],
            expected: "unavailable"
        ),
        Case(
            section: "4.2.4",
            rule: "a request that is limited to the cache uses any stored response",
            response: [.cacheControl: "max-age=1, must-revalidate"],
            after: 100,
            request: [.cacheControl: "no-cache"],
            policy: .returnCacheDataDontLoad,
            expected: "use stale"
        ),
        Case(
            section: "5.2.1.5",
            rule: "a request with no-store that is limited to the cache is not sent",
            response: [.cacheControl: "max-age=60"],
            request: [.cacheControl: "no-store"],
            policy: .returnCacheDataDontLoad,
            expected: "unavailable"
        ),
        Case(
            section: "RFC 9110, 13.1.1",
            rule: "a request with If-Match that is limited to the cache is not sent",
            response: [.cacheControl: "max-age=60"],
            request: [.ifMatch: "*"],
            policy: .returnCacheDataDontLoad,
            expected: "unavailable"
        ),
        Case(
            section: "RFC 9110, 13.1.4",
            rule: "a request with If-Unmodified-Since that is limited to the cache is not sent",
            response: [.cacheControl: "max-age=60"],
            request: [.ifUnmodifiedSince: Case.date(0)],
            policy: .returnCacheDataDontLoad,
            expected: "unavailable"
        ),
    ]

    @Test("the freshness and the age of a response follow its fields", arguments: freshnessCases)
    func freshness(test: CacheRuleCase) { #expect(test.actual == test.expected) }

    @Test("cache directives of responses are parsed", arguments: directiveCases)
    func directives(test: CacheRuleCase) { #expect(test.actual == test.expected) }

    @Test("cache directives of requests are parsed", arguments: requestCases)
    func requests(test: CacheRuleCase) { #expect(test.actual == test.expected) }

    static let keyCases: [(String, String)] = [
        ("HTTP://Server.TEST:80", "http://server.test/"), ("https://server.test:443/a?b#c", "https://server.test/a?b"),
        ("http://server.test:8080/A", "http://server.test:8080/A"),
        ("HTTP://User:Secret@Server.TEST:80/a", "http://User:Secret@server.test/a"),
        ("http://server.test?x=/:80", "http://server.test/?x=/:80"),
        ("http://server.test", "http://server.test/"), ("http://server.test#a?b", "http://server.test/"),
        ("https://server.test:80/", "https://server.test:80/"), ("http://server.test:443", "http://server.test:443/"),
        ("http://server.test:80?A", "http://server.test/?A"), ("http://[::1]:80/a", "http://[::1]/a"),
        // These responses are never sent.
        ("/a#b:c", "/a#b:c"), ("mailto:a@b.test", "mailto:a@b.test"),
        ("http://server.test/a#", "http://server.test/a"), ("http://server.test:180/", "http://server.test:180/"),
    ]

    @Test("cache keys are normalized URLs (RFC 9111, section 2)", arguments: keyCases)
    func keys(url: String, key: String) throws { #expect(CacheKey(try #require(URL(string: url))).url == key) }

    static let selectingCases: [(name: String, one: String, other: String, isSame: Bool)] = [
        ("x", "a,b", "a , b", true), ("x", "a,b", "b,a", false), ("x", "a", "A", false),
        ("x", "\"a , b\"", "\"a,b\"", false),
        ("accept-language", "de, EN", "en,de", true), ("accept-language", "de;q=0.5", "de; q=0.5", true),
        ("accept-language", "de", "en", false),
    ]

    @Test("the values of fields that Vary names are normalized (RFC 9111, section 4.1)", arguments: selectingCases)
    func selecting(name: String, one: String, other: String, isSame: Bool) throws {
        let field = try #require(HTTPField.Name(name))
        let values = SelectingFields.values(of: [name], in: [field: one])
        #expect(SelectingFields.matches(values, in: [field: other]) == isSame)
        #expect(!SelectingFields.matches(values, in: [:]))
    }

    @Test("connection fields, and fields that no-cache names, are not stored (RFC 9111, section 3.1)")
    func storedFields() throws {
        var headers: HTTPFields = [
            .cacheControl: "max-age=60, no-cache=\"Set-Cookie\"", .connection: "x-a", .setCookie: "a=b",
        ]
        for name in ["X-A", "Keep-Alive", "Proxy-Authenticate", "Upgrade", "X-B"] {
            headers[HTTPField.Name(name)!] = "1"
        }
        let stored = CacheRules.headToStore(
            TransportResponse(status: 200, headers: headers),
            for: CacheRequest(method: .get, key: .test("/a")),
            during: ExchangeTimes(requestTime: 0, responseTime: 0),
            keepsForOfflineUse: true
        )
        #expect(stored?.headers.map(\.name.canonicalName).sorted() == ["cache-control", "x-b"])
    }

    static let invalidationCases: [(method: HTTPMethod, status: Int, location: String?, paths: [String])] = [
        (.post, 200, nil, ["/a"]), (.put, 204, nil, ["/a"]), (.delete, 302, "/b", ["/a", "/b"]), (.get, 200, "/b", []),
        (.head, 200, nil, []), (.options, 200, nil, []), (.post, 404, nil, []),
        (.post, 201, "http://other.test/b", ["/a"]),
        (HTTPMethod(rawValue: "PURGE"), 200, nil, ["/a"]),
    ]

    @Test(
        "successful unsafe requests invalidate stored responses (RFC 9111, section 4.4)",
        arguments: invalidationCases
    )
    func invalidation(method: HTTPMethod, status: Int, location: String?, paths: [String]) throws {
        let url = try #require(URL(string: "http://server.test/a"))
        let headers: HTTPFields = location.map { [.location: $0] } ?? [:]
        let keys = CacheRules.keysInvalidated(
            by: method,
            url: url,
            status: status,
            fields: ResponseFields(headers)
        )
        #expect(keys == paths.map { CacheKey.test($0) })
    }

    static let rangeCases: [(String, ClosedRange<Int64>?)] = [
        ("bytes=0-0", 0...0), ("bytes=5-", 5...9), ("bytes=-3", 7...9), ("bytes=-30", 0...9), ("bytes=8-99", 8...9),
        ("bytes=10-", nil), ("bytes=-0", nil), ("bytes=5-4", nil), ("bytes=0-1,3-4", nil), ("items=0-1", nil),
        ("bytes=", nil),
        ("bytes=a-", nil), ("bytes=99999999999999999999-", nil), ("bytes=-", nil),
    ]

    @Test("requested ranges of a body of ten bytes are resolved (RFC 9110, section 14.1.2)", arguments: rangeCases)
    func ranges(text: String, positions: ClosedRange<Int64>?) {
        let actual = RequestedRange(text)?.positions(in: 10)
        #expect(actual == positions.map { $0.lowerBound..<$0.upperBound + 1 })
    }
}
