import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sessions come and go", .serialized)
struct SessionLifetimeTests {
    @Test("ten thousand sessions that open an engine each, and leave no descriptor and no thread behind")
    func tenThousand() async throws {
        try await PlainServer.run { server in
            func use(_ count: Int) async throws {
                for index in 0..<count {
                    let session = Session()
                    if index % 10 == 0 {
                        #expect(try await session.data(for: URLRequest(url: server.url("/json"))).statusCode == 200)
                    } else {
                        _ = session.transport
                    }
                }
            }
            try await use(500)
            let before = Footprint.now
            try await use(10_000)
            let after = Footprint.now
            // Connections close in their own time: some of the last may still be open.
            #expect(after.descriptors <= before.descriptors + 100, "\(before) -> \(after)")
            #expect(after.threads <= before.threads + 8, "\(before) -> \(after)")
        }
    }

    /// What a process holds of the system.
    private struct Footprint {
        let descriptors: Int
        let threads: Int

        static var now: Footprint {
            func count(_ folder: String) -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
            }
            return Footprint(descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
        }
    }
}
