import Foundation
import Moya

// These steps read compressed and streamed responses.
extension DemoStep {
    static let compressed = DemoStep(
        "A response in gzip",
        code: "provider.request(.readme).mapString()",
        expecting: "the whole text, of which a tenth or less was sent"
    ) { demo in
        let response = try await demo.providers.github.request(.readme)
        let text = try response.mapString()
        let coding = response.headers["Content-Encoding"] ?? "no coding"
        let sent = response.headers["Content-Length"].flatMap { Int($0) }
        return Finding(
            "\(text.utf8.count) bytes of text from \(sent.map { "\($0)" } ?? "?") bytes, \(coding)",
            isAsExpected: text == DemoData.readme && coding == "gzip" && sent.map { $0 <= text.utf8.count / 10 } ?? true
        )
    }

    static let lines = DemoStep(
        "Line by line, as it comes",
        code: "for try await line in try await provider.stream(.log).lines { … }",
        expecting: "the log's \(DemoData.log.count) lines, whole, however they were cut on the way"
    ) { demo in
        var lines: [String] = []
        for try await line in try await demo.providers.streaming.stream(.log).lines { lines.append(line) }
        return Finding("\(lines)", isAsExpected: lines == DemoData.log)
    }

    static let events = DemoStep(
        "Server-sent events, over as many connections as it takes",
        code: "for try await event in provider.events(.activity) { … }",
        expecting: "each of \(DemoData.activity.count) events once; a server that says when there are no more"
    ) { demo in
        var events: [String] = []
        // There are no retries, because a person is waiting.
        let reconnection = ReconnectionPolicy(maximumFailures: 0)
        for try await event in demo.providers.streaming.events(.activity, reconnection: reconnection) {
            events.append("\(event.id): \(event.data)")
        }
        return Finding(
            "\(events)",
            isAsExpected: events == DemoData.activity.enumerated().map { "\($0.offset + 1): \($0.element)" }
        )
    }
}

// These steps transfer files with progress.
extension DemoStep {
    static let upload = DemoStep(
        "A form with a file, and how far it has come",
        code: "provider.request(.form(file, note: …), progress: { bar.show($0) }) { result in … }",
        expecting: "all bytes of the file, and those of the form around it"
    ) { demo in
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("pattern.bin")
            try BytePattern.write(demo.fileLength.bytes, to: file)
            let bar = demo.transcript.progress()
            let result = await withCheckedContinuation { continuation in
                demo.providers.uploads.request(
                    .form(file, note: "A file from the demo."),
                    progress: { bar.show($0) },
                    completion: { continuation.resume(returning: $0) }
                )
            }
            bar.end()
            let receipt = try result.get().map(ByteReceipt.self)
            return Finding(
                "the server got \(receipt.bytes) bytes, \(receipt.content) of them the file's",
                isAsExpected: receipt.content == demo.fileLength.bytes && receipt.bytes > receipt.content
                    && bar.fraction == 1
            )
        }
    }

    static let download = DemoStep(
        "A file, and how far it has come",
        code:
            "for try await progress in provider.requestWithProgress(.download(count, to: file)) { bar.show(progress) }",
        expecting: "all bytes in the file, and the right ones"
    ) { demo in
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("pattern.bin")
            let bar = demo.transcript.progress()
            defer { bar.end() }
            for try await progress in demo.providers.downloads.requestWithProgress(
                .download(demo.fileLength.bytes, to: file)
            ) {
                bar.show(progress)
            }
            let receipt = try ByteCheck.receipt(for: file)
            let isRight = receipt == ByteReceipt(bytes: demo.fileLength.bytes, content: demo.fileLength.bytes)
            return Finding(
                "\(receipt.bytes) bytes are in the file, the first \(receipt.content) as they should be",
                isAsExpected: isRight && bar.fraction == 1
            )
        }
    }
}
