import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli cache-agent`, which `scripts/check/cache-conformance` uses to test the cache.
///
/// Each line of the standard input is a request as JSON. For each request the command writes a line with the response; the order of
/// the responses may differ.
struct CacheAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache-agent",
        abstract: "Sends requests from the standard input through a cache.",
        shouldDisplay: false
    )

    /// A request.
    private struct Order: Decodable, Sendable {
        let id: Int
        let method: String
        let url: String
        /// The headers, each as a list of a name and a value.
        let headers: [[String]]
        let body: String?
        /// The cache mode of the Fetch standard.
        let cache: String?

        var request: URLRequest? {
            guard let url = URL(string: url) else { return nil }
            var request = URLRequest(url: url)
            request.httpMethod = method
            for header in headers where header.count == 2 {
                request.addValue(header[1], forHTTPHeaderField: header[0])
            }
            request.httpBody = body.map { Data($0.utf8) }
            switch cache {
            case "reload": request.cachePolicy = .reloadIgnoringLocalCacheData
            case "no-cache": request.cachePolicy = .reloadRevalidatingCacheData
            case "force-cache": request.cachePolicy = .returnCacheDataElseLoad
            case "no-store": request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
            default: break
            }
            return request
        }
    }

    /// The response to a request, or its error.
    private struct Report: Encodable {
        var id: Int
        var status = 0
        var headers: [[String]] = []
        var body = ""
        var error: String?
    }

    func run() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 100
        let session = Session(configuration: configuration, cache: .memory())
        let output = Locked(FileHandle.standardOutput)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for await line in Self.inputLines {
                let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
                group.addTask {
                    let report = try JSONEncoder().encode(await Self.report(order, session)) + Data("\n".utf8)
                    try output.withLock { try $0.write(contentsOf: report) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func report(_ order: Order, _ session: Session) async -> Report {
        var report = Report(id: order.id)
        do {
            guard let request = order.request else { throw URLError(.badURL) }
            let response = try await session.data(for: request)
            report.status = response.statusCode
            report.headers = response.headers.map { [$0.name.rawName, $0.value] }
            report.body = String(decoding: response.data, as: UTF8.self)
        } catch {
            report.error = "\(error)"
        }
        return report
    }

    /// The lines of the standard input.
    private static var inputLines: AsyncStream<String> {
        AsyncStream { stream in
            Thread {
                while let line = readLine() { stream.yield(line) }
                stream.finish()
            }
            .start()
        }
    }
}
