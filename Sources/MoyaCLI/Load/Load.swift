#if NIO
import Foundation
import Moya

/// A load test of one provider.
struct Load: Sendable {
    let server: DemoServer
    let requests: Int
    let concurrency: Int

    func run() async throws -> LoadReport {
        let session = Session(configuration: .withoutProxies)
        let provider = MoyaProvider<Zen>(session: session)
        let target = Zen(baseURL: server.baseURL)
        let start = ContinuousClock.now
        let first = await send(requests / 10, target, through: provider)
        let early = PeakMemory.bytes
        let rest = await send(requests - requests / 10, target, through: provider)
        let time = ContinuousClock.now - start
        await session.transport.shutdown()
        return LoadReport(
            requests: requests,
            succeeded: first + rest,
            time: time,
            earlyPeak: early,
            peak: PeakMemory.bytes
        )
    }

    /// Sends requests, and returns how many succeeded.
    private func send(_ count: Int, _ target: Zen, through provider: MoyaProvider<Zen>) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<concurrency {
                let share = count / concurrency + (worker < count % concurrency ? 1 : 0)
                group.addTask {
                    var succeeded = 0
                    for _ in 0..<share {
                        guard let response = try? await provider.request(target) else { continue }
                        if response.statusCode == 200, !response.data.isEmpty { succeeded += 1 }
                    }
                    return succeeded
                }
            }
            return await group.reduce(0, +)
        }
    }
}

/// The target of all requests.
private struct Zen: TargetType {
    let baseURL: URL
    var path: String { "/zen" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
}
#endif
