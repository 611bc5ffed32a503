import CMoyaZlib
import Foundation

/// A `z_stream` with the input that it has not used yet and the output that nobody has taken yet.
///
/// It works on demand: input waits until output is asked for, and there is never more output than was asked for.
final class ZlibStream {
    /// How much output is made at once, in bytes.
    static let pieceSize = 65_536
    /// How much input zlib gets at once, in bytes: its counters have 32 bits.
    static let longestInput = 1 << 30

    // zlib's own state points back at the stream, so that it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutablePointer<UInt8>
    private let end: (UnsafeMutablePointer<z_stream>) -> CInt
    private let longestInput: Int
    private var input = Data()
    /// How much of the input has been used.
    private var position = 0
    /// How much of the output has been filled.
    private var filled = 0

    /// How many bytes of input have been used in all.
    private(set) var consumed: Int64 = 0

    /// - Parameters:
    ///   - begin: zlib's function that prepares the stream.
    ///   - end: zlib's function that gives back what the other has taken.
    ///   - longestInput: For tests.
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
        // Harmless on a stream that was never prepared.
        _ = end(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        output.deallocate()
    }

    // MARK: Input

    /// The bytes that have not been used.
    var waiting: Data { input.dropFirst(position) }

    var hasInput: Bool { position < input.count }

    func push(_ data: Data) {
        if hasInput { input.append(data) } else { (input, position) = (data, 0) }
    }

    /// Uses up bytes without showing them to zlib.
    func skip(_ count: Int) { use(min(count, input.count - position)) }

    private func use(_ count: Int) {
        position += count
        consumed += Int64(count)
        if !hasInput { (input, position) = (Data(), 0) }
    }

    // MARK: Output

    /// Whether fewer bytes than that have been made. There is room for ``pieceSize``.
    func hasRoom(of maximum: Int) -> Bool { filled < Self.room(maximum) }

    /// Takes what has been made, if there is anything.
    func takeOutput() -> Data? {
        guard filled > 0 else { return nil }
        defer { filled = 0 }
        return Data(bytes: output, count: filled)
    }

    private static func room(_ maximum: Int) -> Int { min(max(maximum, 1), pieceSize) }

    // MARK: Work

    /// Calls zlib once, on the input that waits and the room that is left.
    ///
    /// - Parameter function: Gets the stream, and whether it has all the input there is.
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

    /// Makes the stream ready for another one, with the same or other window bits.
    func reset(_ function: (UnsafeMutablePointer<z_stream>) -> CInt) throws(ZlibError) {
        let code = function(stream)
        guard code == Z_OK else { throw ZlibError(code) }
    }
}
