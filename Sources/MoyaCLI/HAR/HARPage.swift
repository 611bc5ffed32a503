import Foundation
import MoyaHAR

/// Recorded traffic as a self-contained HTML page without scripts, fonts and images.
struct HARPage {
    private let report: HARReport
    private let title: String

    init(_ report: HARReport, title: String) {
        self.report = report
        self.title = title
    }

    var text: String {
        var page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">
            <title>\(HTML(title).text)</title>
            <style>
            \(HARPageStyle.css)
            </style>
            </head>
            <body>
            <header>
            <h1>\(HTML(title).text)</h1>
            <p>\(summary)</p>
            <ul class="legend">\(legend)</ul>
            </header>
            <main>
            <div class="row head" aria-hidden="true"><span class="number">#</span><span class="method">Method</span>\
            <span class="status">Status</span><span class="url">URL</span><span class="size">Size</span>\
            <span class="time">Time</span><span class="bar">\(HTML(HARReport.Row.text(ofMilliseconds: report.span)).text)\
            </span></div>

            """
        for row in report.rows { page += exchange(row) }
        return page + "</main>\n</body>\n</html>\n"
    }

    private var summary: String {
        let count = report.rows.count
        let parts = [
            "\(count) \(count == 1 ? "exchange" : "exchanges")",
            "\(report.failureCount) failed",
            "\(ByteCount(report.sentBytes)) sent",
            "\(ByteCount(report.receivedBytes)) received",
            HARReport.Row.text(ofMilliseconds: report.span),
            report.commonOrigin ?? "",
            report.creator.isEmpty ? "" : "recorded by \(report.creator)",
        ]
        return HTML(parts.filter { !$0.isEmpty }.joined(separator: " · ")).text
    }

    private var legend: String {
        HARReport.Phase.Kind.allCases.map { "<li><i class=\"\($0.rawValue)\"></i>\($0.rawValue)</li>" }.joined()
    }

    private func exchange(_ row: HARReport.Row) -> String {
        let url = report.commonOrigin == nil ? row.entry.request.url : row.path
        return """
            <details\(row.isFailure ? " class=\"failure\"" : "")>
            <summary class="row"><span class="number">\(row.number)</span>\
            <span class="method">\(HTML(row.entry.request.method).text)</span>\
            <span class="status">\(HTML(row.status).text)</span>\
            <span class="url" title="\(HTML(url).text)">\(HTML(url).text)</span>\
            <span class="size">\(HTML(row.sizeText).text)</span>\
            <span class="time">\(HTML(row.durationText).text)</span>\
            <span class="bar">\(bar(row))</span></summary>
            \(HARExchangePart(row).text)
            </details>

            """
    }

    /// Returns the bar with the phases of one exchange, positioned on the common time scale.
    private func bar(_ row: HARReport.Row) -> String {
        guard report.span > 0 else { return "" }
        func percent(_ time: Double) -> String { String(format: "%.3f", min(max(0, time / report.span), 1) * 100) }
        let phases = row.phases.map {
            "<i class=\"\($0.kind.rawValue)\" style=\"flex-grow:\(percent($0.duration))\"></i>"
        }
        return "<b style=\"margin-left:\(percent(row.start))%;width:\(percent(row.duration))%\">\(phases.joined())</b>"
    }
}
