#if os(Linux)
import ArgumentParser
import Foundation

/// The command `moya-cli simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate ten minutes of traffic to a failing server, with and without each part of Resilience.",
        discussion: """
            Sessions send the requests over a transport that models the server, in virtual time, so that a run takes seconds. The \
            command prints the load during the fault (the requests that reach the server, divided by the requests of the \
            application), the share of requests that succeed, the times of these requests, and the time from the end of the fault \
            until 99 % succeed.
            """
    )

    @Argument(help: "The scenarios: \(Scenario.all.map(\.fileName).joined(separator: ", ")).")
    var scenarios: [String] = []

    @Option(help: "The folder for a plot of each scenario, as SVG.")
    var plots: String?

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    func validate() throws {
        for name in scenarios where !Scenario.all.contains(where: { $0.matches(name) }) {
            throw ValidationError("There is no scenario with the name \(name).")
        }
    }

    func run() async throws {
        for scenario in Scenario.all where scenarios.isEmpty || scenarios.contains(where: scenario.matches) {
            let results = try scenario.variants.map { variant in
                (variant.name, try Simulation(scenario: scenario, variant: variant, seed: seed).run())
            }
            let report = SimulationReport(scenario: scenario, results: results)
            print(report.text, terminator: "\n\n")
            guard let plots else { continue }
            let file = URL(fileURLWithPath: plots).appendingPathComponent("simulation-\(scenario.fileName).svg")
            try Data(SimulationPlot(report: report).svg.utf8).write(to: file)
        }
    }
}

extension Scenario {
    /// The name without spaces.
    var fileName: String { name.replacingOccurrences(of: " ", with: "-") }

    fileprivate func matches(_ argument: String) -> Bool { argument == fileName }
}
#endif
