#if NIO && os(Linux)
import Foundation
import Testing

@Suite("moya-cli simulate sends traffic in virtual time", .timeLimit(.minutes(5)))
struct SimulateCommandTests {
    /// The figures of a variant: load, share of served requests, percentiles, and recovery.
    private struct Figures {
        let load: Double
        let served: Double
        let slowest: Double
        let recovery: Double?
    }

    @Test("in an outage, the standard parts send at most 1.1 times the requests, and serve again within 5 s")
    func outage() async throws {
        let figures = try await run("outage")
        let standard = try #require(figures["standard"])
        #expect(standard.load <= 1.1)
        #expect(try #require(standard.recovery) <= 5)
        // Without a budget, two retries triple the load.
        #expect(try #require(figures["retries without a budget"]).load > 2.5)
        // An outage of a minute in ten leaves nine tenths.
        #expect(abs(standard.served - 90) < 2)
    }

    @Test("hedging cuts the time that 1 % of the requests exceed by 80 %, at less than 2 % more requests")
    func hedging() async throws {
        let figures = try await run("slow-responses")
        let (without, with) = (try #require(figures["nothing"]), try #require(figures["hedging"]))
        #expect(with.slowest <= without.slowest * 0.2)
        #expect(with.load < without.load + 0.02)
        #expect(with.served == 100)
    }

    @Test("a scenario that does not exist is an error")
    func unknown() async throws {
        let (status, text) = try await output(of: ["simulate", "sunshine"])
        #expect(status == 64)
        #expect(text.contains("There is no scenario with the name sunshine."))
    }

    /// Simulates a scenario, and returns the figures of its table by the names of the variants.
    private func run(_ scenario: String) async throws -> [String: Figures] {
        let (status, text) = try await output(of: ["simulate", scenario])
        #expect(status == 0)
        var all: [String: Figures] = [:]
        // The name of a variant has single spaces, and at least two of them separate it from its figures.
        for line in text.components(separatedBy: "\n").drop(while: { !$0.contains("recovery") }).dropFirst() {
            guard let end = line.range(of: "  ") else { break }
            let numbers = line[end.upperBound...].split(separator: " ").compactMap { Double($0) }
            guard numbers.count >= 4 else { break }
            all[String(line[..<end.lowerBound])] = Figures(
                load: numbers[0],
                served: numbers[1],
                slowest: numbers[3],
                recovery: numbers.count > 4 ? numbers[4] : nil
            )
        }
        return all
    }

    private func output(of arguments: [String]) async throws -> (status: Int32, text: String) {
        let (process, output) = try BuiltProgram.start(arguments)
        let text = await BuiltProgram.waitForEnd(of: process, output)
        return (process.terminationStatus, text)
    }
}
#endif
