import Foundation
import Moya

// Uploads and downloads of files with progress.
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
