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
            `·` is waiting for a connection, `-` sending and waiting for the response, `#` receiving it.

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

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let width = environment["COLUMNS"].flatMap { Int($0) } ?? Terminal.standardOutputColumns
        try run(width: width) { print($0) }
    }

    /// Shows the file; `write` receives each line.
    func run(width: Int, write: (String) -> Void) throws {
        let file = URL(fileURLWithPath: file)
        let report = HARReport(try HAR(contentsOf: file).masking(HARSecrets(names: Set(secret))))
        guard let html else {
            for line in HARTable(report, width: width).lines { write(line) }
            return
        }
        let page = HARPage(report, title: file.lastPathComponent).text
        let output = URL(fileURLWithPath: html)
        try Data(page.utf8).write(to: output, options: .atomic)
        write("\(report.rows.count) exchanges in \(TerminalText(html).text)")
    }
}
