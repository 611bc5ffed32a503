import Foundation
import HTTPTypes

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A slow and simple model of a private cache, with which the implementation is compared.
///
/// It works on values instead of text, so that it shares neither the parsers nor the rules of the implementation.
struct CacheModel {
    /// The directives of a response.
    struct Directives {
        var maxAge: Int?
        var noCache = false
        var noStore = false
        var mustRevalidate = false
        var isPublic = false
        var isImmutable = false
        var staleIfError: Int?
    }

    enum Expires {
        /// The lifetime in seconds after the date.
        case after(Int)
        case invalid
    }

    enum Vary { case nothing, language, everything }

    /// A response of the server.
    struct Answer {
        var status = 200
        var directives: Directives?
        var expires: Expires?
        var tag: Int?
        /// The seconds between the last change and the date.
        var changedBefore: Int?
        var vary = Vary.nothing
        var age: Int?
        /// The number of seconds by which the server's clock is slow.
        var lateBy = 0
        var body = ""
    }

    enum Wish: Equatable {
        case none, noCache, noStore, onlyIfCached
        case maxAge(Int), minFresh(Int)
        case maxStale(Int?)
    }

    struct Question {
        var path: String
        var user: String?
        var language: String
        var wish = Wish.none
        var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    }

    struct Entry {
        let path: String
        let user: String?
        let language: String?
        var answer: Answer
        var arrived: Int
    }

    /// The result for the client.
    enum Result: Equatable {
        case response(status: Int, body: String, ResponseSource)
        case failure
    }

    /// The first action of the model.
    enum Plan {
        case done(Result)
        /// Sends a request, with the conditions of an entry.
        case send(validating: Int?, substitute: Int?)
    }

    var entries: [Entry] = []
    /// Whether responses are stored that only requests accepting any response can use.
    var keepsAll = true

    private func lifetime(_ answer: Answer) -> Double {
        if let seconds = answer.directives?.maxAge { return Double(seconds) }
        switch answer.expires {
        case .after(let seconds)?: return Double(max(0, seconds))
        case .invalid?: return 0
        case nil: break
        }
        guard let before = answer.changedBefore else { return 0 }
        guard [200, 203, 404, 410].contains(answer.status) || answer.directives?.isPublic == true else { return 0 }
        return Double(before) / 10
    }

    private func age(_ entry: Entry, _ now: Int) -> Double {
        Double(max(max(0, entry.answer.lateBy), entry.answer.age ?? 0) + now - entry.arrived)
    }

    private func matches(_ question: Question) -> [Int] {
        entries.indices.filter { index in
            let entry = entries[index]
            guard entry.path == question.path, entry.user == question.user else { return false }
            return entry.language == nil || entry.language == question.language
        }
    }

    func plan(_ question: Question, now: Int) -> Plan {
        let isReload = question.policy == .reloadIgnoringLocalCacheData
        if isReload || question.wish == .noStore {
            if question.policy == .returnCacheDataDontLoad { return .done(.failure) }
            return question.wish == .onlyIfCached ? timeout : sending(nil, nil)
        }
        guard let index = matches(question).max(by: { entries[$0].arrived < entries[$1].arrived }) else {
            if question.policy == .returnCacheDataDontLoad { return .done(.failure) }
            return question.wish == .onlyIfCached ? timeout : sending(nil, nil)
        }
        let entry = entries[index]
        let (age, lifetime) = (age(entry, now), lifetime(entry.answer))
        let isFresh = age < lifetime
        let directives = entry.answer.directives ?? Directives()
        func use(_ source: ResponseSource) -> Plan {
            .done(.response(status: entry.answer.status, body: entry.answer.body, source))
        }
        if question.policy == .returnCacheDataElseLoad || question.policy == .returnCacheDataDontLoad {
            return use(isFresh ? .cache : .stale)
        }
        let isForced = directives.noCache || question.wish == .noCache
        let isRevalidation = question.policy == .reloadRevalidatingCacheData
        if !isForced && isFresh {
            var isEnough = true
            if case .maxAge(let most) = question.wish { isEnough = most > 0 && age <= Double(most) }
            if case .minFresh(let least) = question.wish { isEnough = lifetime - age >= Double(least) }
            if isEnough && (!isRevalidation || directives.isImmutable) { return use(.cache) }
        }
        if !isForced && !isFresh && !directives.mustRevalidate && !isRevalidation,
            case .maxStale(let most) = question.wish, age - lifetime <= most.map(Double.init) ?? .infinity
        {
            return use(.stale)
        }
        if question.wish == .onlyIfCached { return timeout }
        let hasValidator = entry.answer.tag != nil || entry.answer.changedBefore != nil
        return sending(hasValidator ? index : nil, index)
    }

    private var timeout: Plan { .done(.response(status: 504, body: "", .cache)) }
    private func sending(_ validating: Int?, _ substitute: Int?) -> Plan {
        .send(validating: validating, substitute: substitute)
    }

    /// Handles the failure of a request.
    func failed(_ question: Question, _ substitute: Int?, status: Int?, body: String, now: Int) -> Result {
        let error = status.map { Result.response(status: $0, body: body, .network) } ?? .failure
        guard let substitute, question.wish != .noCache, question.policy != .reloadRevalidatingCacheData else {
            return error
        }
        let entry = entries[substitute]
        let staleness = age(entry, now) - lifetime(entry.answer)
        guard let directives = entry.answer.directives, !directives.noCache, !directives.mustRevalidate,
            let limit = directives.staleIfError, staleness < Double(limit)
        else { return error }
        return .response(status: entry.answer.status, body: entry.answer.body, staleness < 0 ? .cache : .stale)
    }

    /// Handles a 304.
    mutating func confirmed(_ index: Int, by answer: Answer, now: Int) -> Result {
        let old = entries[index]
        // The dates that the 304 does not have are unchanged, so their distance from the new date changes.
        let later = (now - answer.lateBy) - (old.arrived - old.answer.lateBy)
        if case .after(let seconds)? = old.answer.expires { entries[index].answer.expires = .after(seconds - later) }
        entries[index].answer.changedBefore = old.answer.changedBefore.map { $0 + later }
        if let directives = answer.directives { entries[index].answer.directives = directives }
        if let expires = answer.expires { entries[index].answer.expires = expires }
        entries[index].answer.lateBy = answer.lateBy
        entries[index].answer.age = answer.age
        entries[index].arrived = now
        let confirmed = entries[index].answer
        if confirmed.directives?.noStore == true { entries.remove(at: index) }
        return .response(status: confirmed.status, body: confirmed.body, .revalidated)
    }

    private static func isRefusal(_ status: Int) -> Bool { status >= 500 || [401, 429].contains(status) }

    /// Handles any other response.
    ///
    /// One that cannot be stored removes the entry that it does not confirm, unless its status is 401, 429, or 500 and above.
    mutating func received(_ answer: Answer, to question: Question, validating: Int?, now: Int) {
        guard !store(answer, of: question, now: now), let validating, !Self.isRefusal(answer.status) else { return }
        entries.remove(at: validating)
    }

    /// Stores a response if it can be stored, and returns whether it was stored.
    private mutating func store(_ answer: Answer, of question: Question, now: Int) -> Bool {
        let directives = answer.directives ?? Directives()
        guard !directives.noStore, question.wish != .noStore, answer.vary != .everything else { return false }
        let isExplicit =
            directives.maxAge != nil || directives.isPublic || directives.noCache || answer.expires != nil
        guard isExplicit || [200, 203, 404, 410].contains(answer.status) else { return false }
        let entry = Entry(
            path: question.path,
            user: question.user,
            language: answer.vary == .language ? question.language : nil,
            answer: answer,
            arrived: now
        )
        let staleness = age(entry, now) - lifetime(answer)
        let isUseful =
            answer.tag != nil || answer.changedBefore != nil || staleness < 0
            || staleness < Double(directives.staleIfError ?? 0)
        guard keepsAll || isUseful else { return false }
        let replaced = Set(matches(question))
        // An error of the server does not replace a response that is none.
        let isRefusal = Self.isRefusal(answer.status)
        guard !isRefusal || replaced.allSatisfy({ Self.isRefusal(entries[$0].answer.status) }) else { return false }
        entries = entries.indices.filter { !replaced.contains($0) }.map { entries[$0] }
        entries.append(entry)
        return true
    }

    mutating func invalidate(_ path: String) { entries.removeAll { $0.path == path } }
}

// MARK: Text

extension CacheModel.Answer {
    /// Returns the response in the form in which it is sent.
    func response(status: Int? = nil, at now: Int) -> TransportResponse {
        let date = Double(now - lateBy)
        var headers: HTTPFields = [.date: CachedServer.date(date)]
        if let directives { headers[.cacheControl] = directives.text }
        switch expires {
        case .after(let seconds)?: headers[.expires] = CachedServer.date(date + Double(seconds))
        case .invalid?: headers[.expires] = "0"
        case nil: break
        }
        headers[.eTag] = tag.map { "\"\($0)\"" }
        headers[.lastModified] = changedBefore.map { CachedServer.date(date - Double($0)) }
        headers[.age] = age.map { "\($0)" }
        switch vary {
        case .nothing: break
        case .language: headers[.vary] = "Accept-Language"
        case .everything: headers[.vary] = "*"
        }
        return TransportResponse(
            status: status ?? self.status,
            headers: headers,
            body: .complete(Data(status == 304 ? "".utf8 : body.utf8))
        )
    }
}

extension CacheModel.Directives {
    var text: String {
        var parts: [String] = []
        if let maxAge { parts.append("max-age=\(maxAge)") }
        if noCache { parts.append("no-cache") }
        if noStore { parts.append("no-store") }
        if mustRevalidate { parts.append("must-revalidate") }
        if isPublic { parts.append("public") }
        if isImmutable { parts.append("immutable") }
        if let staleIfError { parts.append("stale-if-error=\(staleIfError)") }
        return parts.joined(separator: ", ")
    }
}

extension CacheModel.Wish {
    var text: String? {
        switch self {
        case .none: nil
        case .noCache: "no-cache"
        case .noStore: "no-store"
        case .onlyIfCached: "only-if-cached"
        case .maxAge(let seconds): "max-age=\(seconds)"
        case .minFresh(let seconds): "min-fresh=\(seconds)"
        case .maxStale(let seconds): seconds.map { "max-stale=\($0)" } ?? "max-stale"
        }
    }
}

// MARK: Random values

extension CacheModel.Answer {
    static func random(_ body: String, using generator: inout some RandomNumberGenerator) -> CacheModel.Answer {
        var answer = CacheModel.Answer()
        answer.body = body
        answer.status = [200, 200, 200, 200, 203, 404, 410, 401, 429, 500, 503].randomElement(using: &generator) ?? 200
        if Int.random(in: 0..<4, using: &generator) > 0 { answer.directives = .random(using: &generator) }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            answer.expires = [.after(-10), .after(5), .after(60), .invalid].randomElement(using: &generator)
        }
        if Bool.random(using: &generator) { answer.tag = Int.random(in: 1...3, using: &generator) }
        if Bool.random(using: &generator) { answer.changedBefore = [0, 100, 1000].randomElement(using: &generator) }
        answer.vary =
            [.nothing, .nothing, .nothing, .language, .everything].randomElement(using: &generator) ?? .nothing
        if Int.random(in: 0..<5, using: &generator) == 0 { answer.age = [0, 3, 50].randomElement(using: &generator) }
        answer.lateBy = [0, 0, 0, 7, -7].randomElement(using: &generator) ?? 0
        return answer
    }
}

extension CacheModel.Directives {
    static func random(using generator: inout some RandomNumberGenerator) -> CacheModel.Directives {
        func rarely() -> Bool { Int.random(in: 0..<6, using: &generator) == 0 }
        var directives = CacheModel.Directives()
        if !rarely() { directives.maxAge = [0, 5, 20, 60].randomElement(using: &generator) }
        directives.noCache = rarely()
        directives.noStore = rarely()
        directives.mustRevalidate = rarely()
        directives.isPublic = rarely()
        directives.isImmutable = rarely()
        if rarely() { directives.staleIfError = [5, 50].randomElement(using: &generator) }
        return directives
    }
}

extension CacheModel.Question {
    static func random(using generator: inout some RandomNumberGenerator) -> CacheModel.Question {
        var question = CacheModel.Question(
            path: ["/a", "/b"].randomElement(using: &generator) ?? "/a",
            user: [nil, nil, "u"].randomElement(using: &generator) ?? nil,
            language: ["de", "en"].randomElement(using: &generator) ?? "de"
        )
        if Int.random(in: 0..<3, using: &generator) == 0 {
            question.wish =
                [
                    .noCache, .noStore, .onlyIfCached, .maxAge(0), .maxAge(3), .minFresh(10), .maxStale(nil),
                    .maxStale(10),
                ].randomElement(using: &generator) ?? .none
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            question.policy =
                [
                    .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .returnCacheDataDontLoad,
                    .reloadRevalidatingCacheData,
                ].randomElement(using: &generator) ?? .useProtocolCachePolicy
        }
        return question
    }
}
