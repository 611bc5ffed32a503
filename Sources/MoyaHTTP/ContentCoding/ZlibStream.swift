import CMoyaZlib
import Foundation

/// A `z_stream` with its unused input and the output that has not been taken yet.
///
/// It works on demand: input is buffered until output is requested, and no more output than requested is produced.
final class ZlibStream {
    /// The size of the output buffer in bytes.
    static let pieceSize = 65_536
    /// The maximum number of input bytes per call of zlib, whose counters have 32 bits.
    static let longestInput = 1 << 30

    // zlib's state points back to the stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutablePointer<UInt8>
    private let end: (UnsafeMutablePointer<z_stream>) -> CInt
    private let longestInput: Int
    private var input = Data()
    /// The number of input bytes used from `input`.
    private var position = 0
    /// The number of bytes in the output buffer.
    private var filled = 0

    /// The total number of input bytes used.
    private(set) var consumed: Int64 = 0

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - begin: The zlib function that initializes the stream.
    ///   - end: The zlib function that releases its memory.
    ///   - longestInput: For tests.
    /// - Throws: ``ZlibError``.
    init(
        begin: (UnsafeMutablePointer<z_stream>) -> CInt,
        end: @escaping (UnsafeMutablePointer<z_stream>) -> CInt,
        longestInput: Int = ZlibStream.longestInput
    ) throws(ZlibError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(capacity: Self.pieceSize)
        self.end = end
        self.longestInput = longestInput
        let code = begin(stream)
        guard code == Z_OK else { throw ZlibError(code) }
    }

    deinit {
        // Harmless for a stream that was not initialized.
        _ = end(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        output.deallocate()
    }

    // MARK: Input

    /// The unused input.
    var waiting: Data { input.dropFirst(position) }

    var hasInput: Bool { position < input.count }

    func push(_ data: Data) {
        if hasInput { input.append(data) } else { (input, position) = (data, 0) }
    }

    /// Consumes bytes without passing them to zlib.
    func skip(_ count: Int) { use(min(count, input.count - position)) }

    private func use(_ count: Int) {
        position += count
        consumed += Int64(count)
        if !hasInput { (input, position) = (Data(), 0) }
    }

    // MARK: Output

    /// Whether fewer than `maximum` bytes have been produced, up to ``pieceSize``.
    func hasRoom(of maximum: Int) -> Bool { filled < Self.room(maximum) }

    /// Takes the output, if there is any.
    func takeOutput() -> Data? {
        guard filled > 0 else { return nil }
        defer { filled = 0 }
        return Data(bytes: output, count: filled)
    }

    private static func room(_ maximum: Int) -> Int { min(max(maximum, 1), pieceSize) }

    // MARK: Processing

    /// Calls zlib once, with the unused input and the free part of the output buffer.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of bytes of output.
    ///   - function: Calls zlib with the stream; `isAll` is whether the stream has all the input.
    /// - Returns: zlib's return code.
    func step(maximum: Int, _ function: (UnsafeMutablePointer<z_stream>, _ isAll: Bool) -> CInt) -> CInt {
        let given = min(input.count - position, longestInput)
        let room = Self.room(maximum) - filled
        let code = input.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress.map { $0 + position }
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = uInt(given)
            stream.pointee.next_out = output + filled
            stream.pointee.avail_out = uInt(room)
            defer { stream.pointee.next_in = nil }
            return function(stream, given == bytes.count - position)
        }
        filled += room - Int(stream.pointee.avail_out)
        use(given - Int(stream.pointee.avail_in))
        return code
    }

    /// Resets the stream for other data, with the same or other window bits.
    func reset(_ function: (UnsafeMutablePointer<z_stream>) -> CInt) throws(ZlibError) {
        let code = function(stream)
        guard code == Z_OK else { throw ZlibError(code) }
    }
}

/// A failure of zlib: out of memory, or a library that does not match its headers.
public struct ZlibError: Error, Equatable, Sendable {
    /// zlib's return code, such as `Z_MEM_ERROR` (-4).
    public let code: Int

    init(_ code: CInt) { self.code = Int(code) }
}

extension ZlibError: MaskedError {
    /// A sentence that describes the problem.
    public var errorDescription: String? {
        switch CInt(truncatingIfNeeded: code) {
        case Z_MEM_ERROR: "zlib is out of memory."
        case Z_VERSION_ERROR: "The zlib of this system does not match the version that the program was built with."
        default: "zlib failed with the code \(code)."
        }
    }
}
