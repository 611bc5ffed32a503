import ArgumentParser
import Foundation
import Workloads

/// One workload, so many times, for tools that look at a whole process.
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

    func run() async throws {
        let base = server.flatMap { URL(string: $0) }
        guard let workload = (Workload.pipeline + Workload.live(at: base)).first(where: { $0.name == name }) else {
            throw ValidationError("There is no workload \"\(name)\"\(base == nil ? " without --server" : "").")
        }
        try await workload.run(count)
    }
}

/// The names of all workloads.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the pieces of work.")

    func run() {
        for workload in Workload.pipeline + Workload.live(at: URL(fileURLWithPath: "/")) {
            print("\(workload.name): \(workload.title)")
        }
    }
}

extension Workload {
    /// Requests to a server, one after the other.
    static func live(at base: URL?) -> [Workload] {
        guard let base else { return [] }
        let layer = LayerClient(at: base)
        let raw = RawClient.likeOurs(at: base)
        return [
            Workload("live-get", "GET over loopback, provider") { count in
                for _ in 0..<count { try await layer.get() }
            },
            Workload("live-post", "POST over loopback, provider") { count in
                for _ in 0..<count { try await layer.post() }
            },
            Workload("live-get-raw", "GET over loopback, AsyncHTTPClient") { count in
                for _ in 0..<count { try await raw.get() }
            },
        ]
    }
}
