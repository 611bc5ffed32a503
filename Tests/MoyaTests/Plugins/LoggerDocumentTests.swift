import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

// Foundation writes the text of a response's head, which differs on Apple's platforms.
#if !canImport(Darwin)
import FoundationNetworking

@Suite("Documentation/Plugins.md shows the logger's output")
struct LoggerDocumentTests {
    private typealias Options = NetworkLoggerPlugin.Configuration.LogOptions

    /// Returns the lines that a logger writes for a request with a token.
    private func output(_ options: Options) async throws -> String {
        let output = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in items.forEach { output.add($0) } }, logOptions: options)
        )
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["User-Agent": "App/1.0"]
        let provider = MoyaProvider<GitHub>(
            session: Session(transport: FakeTransport.text("Keep it simple."), configuration: configuration),
            plugins: [AccessTokenPlugin { _ in "token" }, logger]
        )
        _ = try await provider.request(.zen)
        return output.values.joined(separator: "\n")
    }

    /// Returns the text without times, request numbers, durations and object addresses.
    private func withoutVariables(_ text: String) -> String {
        text.replacing(#/\[\d{4}-\d\d-\d\d, \d\d:\d\d:\d\d\.\d{3}, #\d+(, \d+ ms)?\]/#) { match in
            match.1 == nil ? "[time]" : "[time, duration]"
        }.replacing(#/0x[0-9a-f]+/#, with: "0x")
    }

    @Test("the logger's output matches the document")
    func printed() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Documentation/Plugins.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let blocks = page.matches(of: #/```\n(Moya_Logger: (?s:.*?))\n```/#).map { String($0.1) }
        var printed: [String] = []
        for options in [.default, .verbose, .oneLine] as [Options] { printed.append(try await output(options)) }
        #expect(blocks.map(withoutVariables) == printed.map(withoutVariables), "\(printed)")
    }
}
#endif
