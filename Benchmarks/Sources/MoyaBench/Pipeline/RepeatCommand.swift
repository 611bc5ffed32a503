import ArgumentParser
import Foundation
import Moya
import Workloads

/// Repeats one workload for tools that analyze a whole process.
struct RepeatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat",
        abstract: "Does one piece of work so many times, for a profiler to look at."
    )

    @Argument(help: "Its name; `moya-bench list` prints all.")
    var name: String
    @Argument(help: "How often.")
    var count: Int
    @Option(help: "The URL of a server that runs already, for live requests.")
    var server: String?
    @Option(help: "How many live requests there are at once.")
    var concurrency = 1
    @Flag(help: "Runs the tasks of live requests on the event loops of their connections.")
    var onLoops = false

    func run() async throws {
        let base = server.flatMap { URL(string: $0) }
        let executors = onLoops ? Session.default.taskExecutors : []
        let workloads = Workload.pipeline + Workload.live(at: base, concurrency: concurrency, on: executors)
        guard let workload = workloads.first(where: { $0.name == name }) else {
            throw ValidationError("There is no workload \"\(name)\"\(base == nil ? " without --server" : "").")
        }
        guard !onLoops || workload.name.hasPrefix("live-") else {
            throw ValidationError("Only the tasks of live requests run on event loops.")
        }
        try await workload.run(count)
    }
}

/// Prints the names of all workloads.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the pieces of work.")

    func run() {
        for workload in Workload.pipeline + Workload.live(at: URL(fileURLWithPath: "/")) {
            print("\(workload.name): \(workload.title)")
        }
    }
}

extension Workload {
    /// Returns workloads that send requests to a server, with a number of concurrent requests.
    ///
    /// Their tasks run on the executors in turn, if there are any. All clients over SwiftNIO have the same event loops.
    static func live(at base: URL?, concurrency: Int = 1, on executors: [any TaskExecutor] = []) -> [Workload] {
        guard let base else { return [] }
        let layer = LayerClient(at: base)
        let session = SessionClient(base: base)
        let standard = SessionClient(session: Session(resilience: .standard), base: base)
        var parts = Resilience.standard
        parts.hedging = Hedging(after: .percentile(0.95))
        let hedged = SessionClient(session: Session(resilience: parts), base: base)
        let raw = RawClient.configuredLikeTheLayer(at: base)
        func live(_ name: String, _ title: String, request: @escaping @Sendable () async throws -> Void) -> Workload {
            Workload("live-\(name)", title) { count in
                try await withThrowingTaskGroup { group in
                    for place in 0..<concurrency {
                        let executor = executors.isEmpty ? nil : executors[place % executors.count]
                        group.addTask(on: executor) {
                            for _ in 0..<(count + place) / concurrency { try await request() }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        return [
            live("get", "GET over loopback, provider") { try await layer.get() },
            live("post", "POST over loopback, provider") { try await layer.post() },
            live("get-callback", "GET over loopback, provider, callback") { try await layer.getByCallback() },
            live("get-session", "GET over loopback, Session") { try await session.get() },
            live("get-standard", "GET over loopback, Session with the standard parts of Resilience") {
                try await standard.get()
            },
            live("get-hedged", "GET over loopback, Session with the standard parts and hedging") {
                try await hedged.get()
            },
            live("get-raw", "GET over loopback, AsyncHTTPClient") { try await raw.get() },
            live("post-raw", "POST over loopback, AsyncHTTPClient") { try await raw.post() },
            live("get-futures", "GET over loopback, AsyncHTTPClient, futures") { try await raw.getByFuture() },
        ]
    }
}
