import Foundation

/// The result of a transfer, with its duration and memory.
struct TransferReport: Sendable {
    let transfer: Transfer
    /// The receiver's report.
    let receipt: ByteReceipt
    let time: Duration
    /// The memory before the transfer in bytes.
    let idle: Int
    /// The peak memory during the transfer in bytes.
    let peak: Int

    /// Whether everything was received; a form has more bytes than its file.
    var isWhole: Bool {
        let framing = receipt.bytes - receipt.content
        return receipt.content == transfer.size.bytes && (transfer.direction == .multipart) == (framing > 0)
    }

    var isAsExpected: Bool { isWhole && growth <= transfer.memoryLimit }

    private var growth: Int { peak - idle }

    var text: String {
        let seconds = time / .seconds(1)
        let rate = Double(receipt.bytes) / 1_048_576 / max(seconds, .leastNonzeroMagnitude)
        return """
            \(transfer.direction.rawValue) of \(transfer.size) through \(transfer.transport.rawValue)
            \(receipt.bytes) bytes arrived, \(receipt.content) of \(transfer.size.bytes) as they should be
            \(String(format: "%.2f s, %.1f MiB/s", seconds, rate))
            memory: \(mebibytes(idle)) idle, \(mebibytes(peak)) peak, \(mebibytes(growth)) more \
            (at most \(mebibytes(transfer.memoryLimit)))
            \(isAsExpected ? "✓ as expected" : "✗ not as expected")
            """
    }

    private func mebibytes(_ bytes: Int) -> String { String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
}
