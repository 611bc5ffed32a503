import ArgumentParser
import Foundation
import Moya
import MoyaHAR

/// The command `moya-cli har`.
struct HARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Show recorded traffic: a HAR file, of this library, a browser or a proxy.",
        discussion: """
            Prints a table with a waterfall and totals, as wide as COLUMNS or the terminal. In the waterfall, \
            `·` is waiting for a connection, `-` sending and waiting for the response, `#` receiving it. Gaps in which \
            nothing runs are shortened.

            With --html it writes an HTML page instead, which also has the details of each exchange. The page is a single \
            file without scripts.

            Credentials, cookies and common secrets are masked, even if they were not masked when recorded. Add \
            those of your API with --secret.
            """
    )

    @Argument(help: "The HAR file.", completion: .file(extensions: ["har"]))
    var file: String

    @Option(help: ArgumentHelp("Write a page of HTML to this file.", valueName: "file"), completion: .file())
    var html: String?

    @Option(help: ArgumentHelp("Mask headers, parameters and JSON members of this name, too.", valueName: "name"))
    var secret: [String] = []

    @Option(
        help:
            "Sort the exchanges: the earliest, the slowest or the largest first, or by their names. The default is the order in the file."
    )
    var sort: HAROrder?

    @Flag(help: "Reverse the order.")
    var reverse = false

    @Option(
        help: ArgumentHelp(
            "Show only this status: 404, 4xx, failed or cancelled. May be repeated.",
            valueName: "status"
        )
    )
    var status: [HARStatusFilter] = []

    @Option(help: ArgumentHelp("Show only this method. May be repeated.", valueName: "method"))
    var method: [String] = []

    @Option(help: ArgumentHelp("Show only hosts with this in their name.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Show only exchanges that took at least this long.", valueName: "ms"))
    var slower: Double?

    @Option(help: ArgumentHelp("Show only exchanges with this text in the URL, a header or a body.", valueName: "text"))
    var search: String?

    private var selection: HARSelection {
        HARSelection(
            statuses: status,
            methods: method,
            host: host,
            minimumDuration: slower,
            text: search,
            order: sort,
            isReversed: reverse
        )
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let width = environment["COLUMNS"].flatMap { Int($0) } ?? Terminal.standardOutputColumns
        try run(width: width) { print($0) }
    }

    /// Shows the file; `write` receives each line.
    func run(width: Int, write: (String) -> Void) throws {
        let file = URL(fileURLWithPath: file)
        let report = HARReport(try HAR(contentsOf: file).masking(HARSecrets(names: Set(secret))), selection)
        guard let html else {
            for line in HARTable(report, width: width).lines { write(line) }
            return
        }
        let page = HARPage(report, title: file.lastPathComponent).text
        let output = URL(fileURLWithPath: html)
        try Data(page.utf8).write(to: output, options: .atomic)
        write("\(report.countText) in \(TerminalText(html).text)")
    }
}
