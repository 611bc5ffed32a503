import Foundation
import Moya
import MoyaHAR

/// Sends one request through a session, and writes its events.
struct RequestRun: Sendable {
    struct Options: Sendable {
        var followsRedirects = true
        var retryLimit: UInt = 0
        var timeout: Double = 60
        var cache: URL?
        var har: URL?
        var output: URL?
        var showsSecrets = false
        var showsTimes = false
    }

    let request: URLRequest
    let options: Options
    let write: @Sendable (String) -> Void

    /// Sends the request, and returns whether the response has a status below 400.
    func run() async throws -> Bool {
        let output = try options.output.map { try OutputFile(checking: $0) }
        let har = try options.har.map { try OutputFile(checking: $0) }
        let configuration = URLSessionConfiguration.withDefaultHeaders
        configuration.timeoutIntervalForRequest = options.timeout
        configuration.urlCache = nil
        // The command sends one request, and keeps no cookies.
        configuration.httpCookieStorage = nil
        let transport = try Session.makeTransport(connection: nil, configuration: configuration)
        let recorder = har.map { _ in HARRecorder(over: transport, options: recording) }
        let log = RequestTranscript(showsSecrets: options.showsSecrets, write: write)
        let session = Session(
            transport: recorder ?? transport,
            configuration: configuration,
            interceptor: options.retryLimit > 0 ? RetryPolicy(retryLimit: options.retryLimit) : nil,
            redirectHandler: options.followsRedirects ? .follow : .doNotFollow,
            cache: try options.cache.map { try HTTPCache.disk(at: $0) },
            eventMonitors: [log],
            middleware: recorder.map { [$0] } ?? [],
            options: SessionOptions(cookieStorage: CookieJar())
        )
        let isSuccess = try await perform(in: session, log: log, output: output)
        await transport.shutdown()
        if let har, let recorder {
            do {
                try recorder.har.write(to: har.url)
            } catch {
                throw OutputFileError(file: har.url, error)
            }
            write("Recorded in \(TerminalText(har.url.relativePath).text)")
        }
        return isSuccess
    }

    private var recording: HARRecordingOptions {
        HARRecordingOptions(secrets: options.showsSecrets ? .none : .standard)
    }

    private func perform(in session: Session, log: RequestTranscript, output: OutputFile?) async throws -> Bool {
        let response: SessionResponse
        let record = RequestRecord()
        do {
            response = try await session.data(for: request, record: record)
        } catch {
            log.writeError(error, received: record.failedResponse?.data.count ?? 0)
            writeTimes(of: log)
            return false
        }
        log.writeResponse(response)
        try show(response, output)
        writeTimes(of: log)
        return response.statusCode < 400
    }

    private func writeTimes(of log: RequestTranscript) {
        write(log.timing)
        guard options.showsTimes else { return }
        write("")
        log.timingTable.forEach { write(TerminalText($0).text) }
    }

    private func show(_ response: SessionResponse, _ output: OutputFile?) throws {
        guard !response.data.isEmpty || output != nil else { return }
        write("")
        let size = ByteCount(Int64(response.data.count))
        if let output {
            try output.write(response.data)
            write("\(size) in \(TerminalText(output.url.relativePath).text)")
        } else if let lines = BodyLines(response.data, contentType: response.headers[.contentType] ?? "")?.lines {
            lines.forEach(write)
        } else {
            write("\(size) of binary data: write it to a file with --output")
        }
        write("")
    }
}

/// The lines of a text body, safe to print on a terminal; JSON is indented.
struct BodyLines: Sendable {
    let lines: [String]

    /// Creates the lines; `nil` if the body is not text in UTF-8.
    init?(_ data: Data, contentType: String) {
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else { return nil }
        let isJSON = contentType.lowercased().prefix { $0 != ";" }.hasSuffix("json")
        let shown = isJSON ? NetworkLoggerPlugin.Configuration.Formatter.jsonDataFormatter(data) : text
        var lines = shown.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).map { line in
            TerminalText(line.replacing("\t", with: "    ")).text
        }
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
    }
}
