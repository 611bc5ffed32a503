import Foundation
import Moya

extension Workload {
    /// The workloads for requests with fresh responses of 2 KiB in a cache.
    public static let cached: [Workload] = [
        Workload("cache-memory", "Fresh response of 2 KiB, cached in memory") { count in
            try await hits(count, in: .memory())
        },
        Workload("cache-disk", "Fresh response of 2 KiB, cached on disk") { count in
            try await withTemporaryFolder { try await hits(count, in: .disk(at: $0)) }
        },
    ]

    private static func hits(_ count: Int, in cache: HTTPCache) async throws {
        let session = Session(transport: CacheableServer(size: 2_048), cache: cache)
        let provider = MoyaProvider<BenchTarget>(session: session)
        for _ in 0..<count { use(try await provider.request(.anyUser)) }
    }
}

/// Performs work with a folder, which is removed afterwards.
public func withTemporaryFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
    let name = "moya-bench-\(ProcessInfo.processInfo.globallyUniqueString)"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
