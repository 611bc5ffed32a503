import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response to a request that the cache has sent, as one case.
struct CacheReactionCase: Sendable, CustomTestStringConvertible {
    let section: String
    let rule: String
    let status: Int
    var method = HTTPMethod.get
    var isValidation = false
    var isCompletion = false
    let expected: Reaction

    /// A `CacheReaction` without its entry.
    enum Reaction: Equatable, Sendable {
        case confirm, complete, updateStored, store

        init(_ reaction: CacheReaction) {
            self =
                switch reaction {
                case .confirm: .confirm
                case .complete: .complete
                case .updateStored: .updateStored
                case .store: .store
                }
        }
    }

    var testDescription: String { "\(section) \(rule)" }
}

/// A request and whether its response may be used for equal requests, as one case.
struct SharableRequestCase: Sendable, CustomTestStringConvertible {
    let rule: String
    var method = HTTPMethod.get
    var headers: HTTPFields = [:]
    var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    let expected: Bool

    var testDescription: String { rule }
}

@Suite("The cache decides about responses by rules")
struct CacheReactionTests {
    private typealias Case = CacheReactionCase

    static let reactions: [CacheReactionCase] = [
        Case(section: "RFC 9111, 3", rule: "a response to GET is stored", status: 200, expected: .store),
        Case(section: "RFC 9111, 3", rule: "an error is stored, too", status: 404, expected: .store),
        Case(
            section: "RFC 9111, 4.3.3",
            rule: "a 304 confirms the validated response",
            status: 304,
            isValidation: true,
            expected: .confirm
        ),
        Case(
            section: "RFC 9111, 4.3.3",
            rule: "a 200 replaces the validated response",
            status: 200,
            isValidation: true,
            expected: .store
        ),
        Case(
            section: "RFC 9111, 4.3.4",
            rule: "a 304 to the application's conditions freshens",
            status: 304,
            expected: .updateStored
        ),
        Case(section: "RFC 9111, 4.3.5", rule: "HEAD freshens", status: 200, method: .head, expected: .updateStored),
        Case(
            section: "RFC 9111, 4.3.3",
            rule: "a 304 confirms for HEAD as well",
            status: 304,
            method: .head,
            isValidation: true,
            expected: .confirm
        ),
        Case(
            section: "RFC 9111, 3.4",
            rule: "a 206 completes a part",
            status: 206,
            isCompletion: true,
            expected: .complete
        ),
        Case(
            section: "RFC 9111, 3.4",
            rule: "a 416 is about the part",
            status: 416,
            isCompletion: true,
            expected: .complete
        ),
        Case(
            section: "RFC 9111, 3.4",
            rule: "a 200 replaces a part",
            status: 200,
            isCompletion: true,
            expected: .store
        ),
        Case(
            section: "RFC 9111, 3.3",
            rule: "a 206 to the application's range is stored",
            status: 206,
            expected: .store
        ),
    ]

    @Test(
        "a cached response is confirmed, completed, freshened or stored, according to the status of the new response",
        arguments: reactions
    )
    func reaction(row: CacheReactionCase) {
        let purpose: FetchPurpose =
            row.isValidation
            ? .validation(Self.entry(), adding: [:])
            : row.isCompletion ? .completion(Self.entry(), adding: [:]) : .load(substitute: nil)
        let reaction = CacheRules.reaction(to: row.status, method: row.method, purpose: purpose)
        #expect(CacheReactionCase.Reaction(reaction) == row.expected)
    }

    @Test("RFC 5861, 4: a stale response can replace only a server error")
    func failures() {
        #expect((100..<600).filter { CacheRules.allowsSubstitute(afterStatus: $0) } == [500, 502, 503, 504])
    }

    @Test("RFC 5861, 4: a stale response can replace only a missing or an invalid response")
    func failedRequests() {
        let allowed = RetryableError.all.map(\.code).filter { CacheRules.allowsSubstitute(after: URLError($0)) }
        #expect(
            Set(allowed) == [
                .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
                .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed, .badServerResponse,
                .cannotParseResponse,
            ]
        )
        #expect(!CacheRules.allowsSubstitute(after: TestFailure()))
    }

    static let requests: [SharableRequestCase] = [
        SharableRequestCase(rule: "a GET is shared", expected: true),
        SharableRequestCase(rule: "HEAD is not", method: .head, expected: false),
        SharableRequestCase(rule: "no-store is not", headers: [.cacheControl: "no-store"], expected: false),
        SharableRequestCase(rule: "no-cache is not", headers: [.cacheControl: "no-cache"], expected: false),
        SharableRequestCase(rule: "a range is not", headers: [.range: "bytes=0-1"], expected: false),
        SharableRequestCase(rule: "If-None-Match is not", headers: [.ifNoneMatch: "\"a\""], expected: false),
        SharableRequestCase(rule: "If-Match is not", headers: [.ifMatch: "\"a\""], expected: false),
        SharableRequestCase(rule: "credentials are", headers: [.authorization: "Bearer a"], expected: true),
        SharableRequestCase(rule: "a reload is not", policy: .reloadIgnoringLocalCacheData, expected: false),
        SharableRequestCase(rule: "a validation is not", policy: .reloadRevalidatingCacheData, expected: false),
        SharableRequestCase(rule: "any stored response is", policy: .returnCacheDataElseLoad, expected: true),
    ]

    @Test("only plain GET requests wait for an equal request", arguments: requests)
    func sharing(row: SharableRequestCase) {
        let request = CacheRequest(
            method: row.method,
            key: .test("/a"),
            headers: row.headers,
            policy: row.policy
        )
        #expect(request.isShareable == row.expected)
    }

    // MARK: Stored responses

    private static func entry(
        _ headers: HTTPFields = [:],
        part: CachedHead.Part? = nil,
        size: Int64 = 10
    ) -> CacheEntry {
        let response = CachedHead(
            status: 200,
            headers: headers,
            selectingFields: [:],
            credentials: nil,
            requestTime: 0,
            responseTime: 0,
            isDecoded: true,
            part: part
        )
        return CacheEntry(id: CacheEntry.ID(rawValue: 1), key: .test("/a"), head: response, bodySize: size)
    }

    @Test("RFC 9111, 4: a cached whole response has its age, and has a body unless the request is HEAD")
    func whole() {
        let entry = Self.entry([.contentType: "text/plain"])
        let selection = StoredSelection(entry: entry, form: .whole, age: 7.9, isStale: false)
        let response = selection.makeResponse(from: .cache)
        #expect(response.status == 200 && response.headers[.age] == "7" && response.source == .cache)
        #expect(response.headers[.contentType] == "text/plain" && !response.setsCookies)
        #expect(selection.bodyRange(for: .get) == .whole)
        #expect(selection.bodyRange(for: .head) == nil)
    }

    @Test("RFC 9111, 4.3.2: a 304 from the cache has no body and no fields of the content")
    func notModified() {
        let entry = Self.entry([.contentType: "text/plain", .contentLength: "10", .eTag: "\"a\""])
        let selection = StoredSelection(entry: entry, form: .notModified, age: 0, isStale: false)
        let response = selection.makeResponse(from: .cache)
        #expect(response.status == 304 && response.headers[.eTag] == "\"a\"")
        #expect(response.headers[.contentType] == nil && response.headers[.contentLength] == nil)
        #expect(selection.bodyRange(for: .get) == nil)
    }

    @Test("RFC 9110, 15.3.7: a part from the cache is a 206, with positions in the whole body")
    func part() {
        let whole = StoredSelection(entry: Self.entry(), form: .range(2..<5), age: 0, isStale: false)
        #expect(whole.makeResponse(from: .cache).status == 206)
        #expect(whole.makeResponse(from: .cache).headers[.contentRange] == "bytes 2-4/10")
        #expect(whole.makeResponse(from: .cache).headers[.contentLength] == "3")
        #expect(whole.bodyRange(for: .get) == .positions(2..<5))
        let stored = Self.entry(part: CachedHead.Part(start: 100, completeLength: nil))
        let part = StoredSelection(entry: stored, form: .range(102..<105), age: 0, isStale: false)
        #expect(part.makeResponse(from: .cache).headers[.contentRange] == "bytes 102-104/*")
        #expect(part.bodyRange(for: .get) == .positions(2..<5))
    }

    @Test("RFC 9111, 4.3.4: a 304 to the application's conditions freshens the stored response with its validator only")
    func updates() {
        let entry = Self.entry([.eTag: "\"a\""])
        func update(_ headers: HTTPFields, _ request: HTTPFields = [:]) -> StoredUpdate {
            CacheRules.update(
                of: entry,
                by: TransportResponse(status: 304, headers: headers),
                for: CacheRequest(method: .get, key: .test("/a"), headers: request),
                during: ExchangeTimes(requestTime: 5, responseTime: 6)
            )
        }
        guard case .update(let head) = update([.eTag: "\"a\"", .cacheControl: "max-age=9"]) else {
            Issue.record("The stored response is not freshened.")
            return
        }
        #expect(head.headers[.cacheControl] == "max-age=9" && head.requestTime == 5 && head.responseTime == 6)
        #expect(update([.cacheControl: "max-age=9"]) == .keep)
        #expect(update([.eTag: "\"b\""]) == .keep)
        #expect(update([.eTag: "\"a\""], [.cacheControl: "no-store"]) == .keep)
    }
}
