import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// This file has every line of the Swift blocks in Documentation/Caching.md, and the test runs them.

extension ReadmeTests {
    @Test("the documentation's caching example runs")
    func caching() async throws {
        let folder = try TemporaryFolder()
        let directory = folder.url
        do {
            let cache = try HTTPCache.disk(at: directory, maximumSize: 50 << 20)
            let session = Session(cache: cache)
            let provider = MoyaProvider<GitHub>(session: session)
            #expect(provider.session.cache === cache)
        }
        let cache = HTTPCache.memory()
        let transport = FakeTransport.body("zen")
        let provider = Moya.MoyaProvider<GitHub>(session: Session(transport: transport, cache: cache))
        _ = try await provider.request(.zen)
        cache.isOffline = true
        let response = try await provider.request(.zen)
        if response.source == .stale { print("old") }
        #expect(response.source == .stale)
        let (entries, size) = (try await cache.entries(), await cache.size)
        print(entries.count, size, cache.statistics.hits)
        #expect(entries.count == 1 && size > 0 && cache.statistics.hits == 1)
        try await cache.remove(URL(string: "https://api.github.com/zen")!)
        try await cache.removeAll()
        #expect(try await cache.entries().isEmpty)
    }
}
