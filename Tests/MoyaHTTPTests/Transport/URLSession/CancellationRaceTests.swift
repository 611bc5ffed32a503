import Foundation
import MoyaHTTP
import TestServers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession tasks can be cancelled at their end", .timeLimit(.minutes(5)))
struct CancellationRaceTests {
    @Test("neither a cancelled task nor the shutdown of URLSession crashes the process, and each request ends")
    func cancelledAtTheEnd() async throws {
        let server = try await StubServer(["/": StubServer.Response(body: Data(count: 100_000))])
        for round in 0..<30 {
            let transport = URLSessionTransport()
            let session = Session(transport: transport)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    let task = Task { try await session.data(for: URLRequest(url: server.url("/"))).data.count }
                    group.addTask {
                        // The cancellations are spread from before the connection until after the end.
                        try await Task.sleep(for: .microseconds((round * 8 + index) * 40))
                        task.cancel()
                        switch await task.result {
                        case .success(let count): #expect(count == 100_000)
                        case .failure(let error): #expect((error as? URLError)?.code == .cancelled, "\(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            await transport.shutdown()
        }
    }
}
