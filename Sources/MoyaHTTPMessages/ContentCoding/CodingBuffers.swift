import Foundation

/// The unused input of an encoder or decoder, and the output that has not been taken yet.
///
/// Input is kept until output is requested, and no more output than requested is produced.
final class CodingBuffers {
    /// The size of the output buffer in bytes.
    static let pieceSize = 65_536

    /// The number of bytes that a step has used and produced.
    typealias Progress = (used: Int, produced: Int)

    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
    private var input = Data()
    /// The number of input bytes used from `input`.
    private var position = 0
    /// The number of bytes in the output buffer.
    private var filled = 0

    /// The total number of input bytes used.
    private(set) var consumed: Int64 = 0

    deinit { output.deallocate() }

    // MARK: Input

    /// The unused input.
    var waiting: Data { input.dropFirst(position) }

    var hasInput: Bool { position < input.count }

    func push(_ data: Data) {
        if hasInput { input.append(data) } else { (input, position) = (data, 0) }
    }

    /// Consumes bytes without passing them to the encoder or decoder.
    func skip(_ count: Int) { use(min(count, input.count - position)) }

    private func use(_ count: Int) {
        position += count
        consumed += Int64(count)
        if !hasInput { (input, position) = (Data(), 0) }
    }

    // MARK: Output

    /// Returns whether fewer than `maximum` bytes have been produced, up to ``pieceSize``.
    func hasRoom(of maximum: Int) -> Bool { filled < Self.room(maximum) }

    /// Takes the output, if there is any.
    func takeOutput() -> Data? {
        guard filled > 0 else { return nil }
        defer { filled = 0 }
        return Data(bytes: output, count: filled)
    }

    private static func room(_ maximum: Int) -> Int { min(max(maximum, 1), pieceSize) }

    // MARK: Processing

    /// Calls an encoder or decoder once, with the unused input and the free part of the output buffer.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of bytes of output.
    ///   - process: Calls the encoder or decoder, and returns its progress and result.
    /// - Returns: The result, and whether any bytes have been used or produced.
    func step<Result>(
        maximum: Int,
        _ process: (
            _ input: UnsafeBufferPointer<UInt8>,
            _ output: UnsafeMutableBufferPointer<UInt8>
        ) -> (progress: Progress, result: Result)
    ) -> (result: Result, hasProgressed: Bool) {
        let room = UnsafeMutableBufferPointer(start: output + filled, count: max(0, Self.room(maximum) - filled))
        let (progress, result) = waiting.withUnsafeBytes { process($0.bindMemory(to: UInt8.self), room) }
        filled += progress.produced
        use(progress.used)
        return (result, progress.used + progress.produced > 0)
    }
}
