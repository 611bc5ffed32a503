import ArgumentParser
import Foundation
import Moya
import MoyaHAR

/// `moya-cli har`.
struct HARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Show recorded traffic: a HAR file, of this library, a browser or a proxy.",
        discussion: """
            Prints a table with a waterfall and totals, as wide as COLUMNS says, or else the terminal. In the waterfall, \
            `·` is waiting for a connection, `-` sending and waiting for the answer, `#` receiving it.

            With --html it writes a page instead, which shows the details of each exchange, too. The page is one file \
            that needs no other, and has no scripts.

            Credentials, cookies and common secrets are masked, in files that were recorded without masks, too. Name \
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

    /// - Parameter write: Gets each line.
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
