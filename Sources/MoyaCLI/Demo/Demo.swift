import Foundation
import Moya

/// One run of all steps against one server.
struct Demo: Sendable {
    let server: ServerInUse
    let transcript: Transcript
    var steps = DemoStep.all
    /// The size of the files that steps transfer.
    var fileLength = ByteCount.mebibytes(8)
    /// The timeout of each step in seconds, short because a person is waiting.
    var timeout: TimeInterval = 10
    /// The transport; `nil` for the platform's own.
    var transport: (any HTTPTransport)?
    /// Records the spans that are shown after each step; `nil` to show none.
    var spans: SpanRecorder?

    /// Runs every step, regardless of the results of previous ones.
    func run() async -> DemoReport {
        let configuration: URLSessionConfiguration = server.isEmbedded ? .withoutProxies : .withDefaultHeaders
        configuration.timeoutIntervalForRequest = timeout
        let options = SessionOptions(instruments: spans.map { [$0.instrument] } ?? [])
        let session =
            transport.map { Session(transport: $0, configuration: configuration, options: options) }
            ?? Session(configuration: configuration, options: options)
        let providers = DemoProviders(server: server, session: session, options: options, transcript: transcript)
        let context = DemoContext(
            providers: providers,
            server: server,
            transcript: transcript,
            fileLength: fileLength
        )
        let start = ContinuousClock.now
        transcript.begin(stepCount: steps.count, server: server)
        var report = DemoReport()
        for (index, step) in steps.enumerated() {
            transcript.begin(step, number: index + 1)
            let finding = await perform(step, in: context)
            transcript.end(step, finding)
            if let spans { transcript.write(SpanTree().lines(of: spans.takeEnded())) }
            report.steps.append(
                StepReport(number: index + 1, title: step.title, isAsExpected: finding.isAsExpected)
            )
        }
        // Idle connections are closed, so that the server does not wait for them.
        await session.transport.shutdown()
        transcript.end(report, after: .now - start)
        return report
    }

    private func perform(_ step: DemoStep, in context: DemoContext) async -> Finding {
        do {
            return try await step.run(context)
        } catch {
            return Finding(ErrorText(error).description, isAsExpected: false)
        }
    }
}

/// The values that a step can use.
struct DemoContext: Sendable {
    let providers: DemoProviders
    let server: ServerInUse
    let transcript: Transcript
    let fileLength: ByteCount
}

/// The result of a run.
struct DemoReport: Equatable, Sendable {
    var steps: [StepReport] = []

    var isAsExpected: Bool { steps.allSatisfy(\.isAsExpected) }
}

/// The result of one step.
struct StepReport: Equatable, Sendable {
    var number: Int
    var title: String
    var isAsExpected: Bool
}

/// One step of the demo.
struct DemoStep: Sendable {
    let title: String
    /// The line of Swift that the step shows.
    let code: String
    /// The expected result in words.
    let expectation: String
    let run: @Sendable (DemoContext) async throws -> Finding

    init(
        _ title: String,
        code: String,
        expecting expectation: String,
        run: @escaping @Sendable (DemoContext) async throws -> Finding
    ) {
        self.title = title
        self.code = code
        self.expectation = expectation
        self.run = run
    }
}

/// The result of a step, and whether it was as expected.
struct Finding: Equatable, Sendable {
    let text: String
    let isAsExpected: Bool

    init(_ text: String, isAsExpected: Bool) {
        self.text = text
        self.isAsExpected = isAsExpected
    }
}
