import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Random histories of requests, responses, clock steps and restarts, through a session and through a simple model.
@Suite("The cache agrees with a simple model")
struct CacheModelTests {
    /// The number of histories; `MOYA_CACHE_HISTORIES` sets another number, such as 100000.
    private static let count = ProcessInfo.processInfo.environment["MOYA_CACHE_HISTORIES"].flatMap { Int($0) } ?? 600

    @Test("a cache with a store in memory agrees with the model")
    func memory() async throws {
        for seed in 0..<UInt64(Self.count) {
            var history = try History(seed: seed, folder: nil)
            guard try await history.run() else { return }
        }
    }

    @Test("a cache with a store on disk agrees with the model, also after restarts")
    func disk() async throws {
        for seed in 0..<UInt64(max(1, Self.count / 50)) {
            var history = try History(seed: 1_000_000 + seed, folder: TemporaryFolder())
            guard try await history.run() else { return }
        }
    }
}

/// A random history.
private struct History {
    private var generator: SeededGenerator
    private let seed: UInt64
    private let folder: TemporaryFolder?
    private var model = CacheModel()
    private var now = 1_800_000_000
    private let clock = Locked(1_800_000_000)
    private let answer = Locked<TransportResponse?>(nil)
    private let log = Locked<[TransportRequest]>([])
    private var session: Session?
    private var steps: [String] = []

    init(seed: UInt64, folder: TemporaryFolder?) throws {
        self.seed = seed
        self.folder = folder
        generator = SeededGenerator(seed: seed)
        model.keepsAll = seed % 2 == 0
        try start()
    }

    /// Opens a store as soon as the queue of the previous one has released the directory.
    private static func open(_ directory: URL) throws -> DiskCacheStore {
        for _ in 0..<1_000 {
            if let store = try? DiskCacheStore(directory: directory) { return store }
            usleep(10_000)
        }
        return try DiskCacheStore(directory: directory)
    }

    private mutating func start() throws {
        session = nil
        let (clock, answer, log) = (clock, answer, log)
        let store: any CacheStore = try folder.map { try Self.open($0.url) } ?? MemoryCacheStore()
        let transport = FakeTransport { request in
            log.withLock { $0.append(request) }
            guard let response = answer.withLock({ $0 }) else { throw URLError(.networkConnectionLost) }
            return response
        }
        // Like the cache of a session that creates it: a request without a stored response takes a shorter path.
        let isPlain = !model.keepsAll
        let cache = HTTPCache(
            store: store,
            collapsesRequests: !isPlain,
            keepsForOfflineUse: !isPlain,
            now: { clock.withLock { Double($0) } }
        )
        session = Session(transport: transport, cache: cache)
    }

    /// Returns whether the session and the model agree.
    mutating func run() async throws -> Bool {
        for step in 0..<12 {
            now += [1, 2, 5, 20, 100].randomElement(using: &generator) ?? 1
            clock.withLock { $0 = now }
            if folder != nil, Int.random(in: 0..<4, using: &generator) == 0 {
                try start()
                steps.append("restart")
            }
            let isAgreed =
                Int.random(in: 0..<10, using: &generator) == 0 ? try await post() : try await get("body \(step)")
            guard isAgreed else { return false }
        }
        return true
    }

    private mutating func post() async throws -> Bool {
        let path = ["/a", "/b"].randomElement(using: &generator) ?? "/a"
        let status = [200, 201, 303, 400, 500].randomElement(using: &generator) ?? 200
        answer.withLock { $0 = TransportResponse(status: status) }
        steps.append("POST \(path) \(status)")
        _ = try await session?.data(for: CachedServer.request(path, method: "POST", body: "x"))
        if status < 400 { model.invalidate(path) }
        log.withLock { $0 = [] }
        return true
    }

    private mutating func get(_ body: String) async throws -> Bool {
        let question = CacheModel.Question.random(using: &generator)
        let plan = model.plan(question, now: now)
        var expected: CacheModel.Result
        var conditions: [String?]?
        switch plan {
        case .done(let result):
            expected = result
            answer.withLock { $0 = TransportResponse(status: 299) }
        case .send(let validating, let substitute):
            let stored = validating.map { model.entries[$0].answer }
            conditions = [stored?.tag.map { "\"\($0)\"" }, stored.flatMap { changes[$0.body] }]
            expected = respond(question, body, validating, substitute)
        }
        var headers = ["Accept-Language": question.language]
        headers["Authorization"] = question.user
        headers["Cache-Control"] = question.wish.text
        let request = CachedServer.request(question.path, headers, policy: question.policy)
        steps.append("+\(now) \(question) -> \(expected)")
        let actual: CacheModel.Result
        do {
            guard let response = try await session?.data(for: request) else { return false }
            let text = String(decoding: response.data, as: UTF8.self)
            actual = .response(status: response.statusCode, body: text, response.source)
        } catch { actual = .failure }
        let sent = log.withLock { log in
            defer { log = [] }
            return log
        }
        let sentConditions = sent.first.map { [$0.headers[.ifNoneMatch], $0.headers[.ifModifiedSince]] }
        let isAgreed = actual == expected && sent.count == (conditions == nil ? 0 : 1) && sentConditions == conditions
        #expect(
            isAgreed,
            "seed \(seed): \(actual), sent \(sent.count) \(String(describing: sentConditions)), expected \(expected) \(String(describing: conditions))\n\(steps.joined(separator: "\n"))"
        )
        return isAgreed
    }

    /// The `Last-Modified` of each response, by its body.
    private var changes: [String: String] = [:]

    /// Sets the server's response, and returns the expected result for the client.
    private mutating func respond(
        _ question: CacheModel.Question,
        _ body: String,
        _ validating: Int?,
        _ substitute: Int?
    ) -> CacheModel.Result {
        let chance = Int.random(in: 0..<10, using: &generator)
        if chance == 0 {
            answer.withLock { $0 = nil }
            steps.append("connection lost")
            return model.failed(question, substitute, status: nil, body: "", now: now)
        }
        if let validating, chance < 6 {
            var confirming = CacheModel.Answer.random("", using: &generator)
            confirming.tag = nil
            confirming.changedBefore = nil
            confirming.vary = .nothing
            answer.withLock { $0 = confirming.response(status: 304, at: now) }
            steps.append("304 \(confirming)")
            return model.confirmed(validating, by: confirming, now: now)
        }
        let new = CacheModel.Answer.random(body, using: &generator)
        let response = new.response(at: now)
        changes[body] = response.headers[.lastModified]
        answer.withLock { $0 = response }
        steps.append("\(new)")
        if [500, 503].contains(new.status) {
            let result = model.failed(question, substitute, status: new.status, body: body, now: now)
            if case .response(_, _, let source) = result, source != .network { return result }
        }
        model.received(new, to: question, validating: validating, now: now)
        return .response(status: new.status, body: body, .network)
    }
}
