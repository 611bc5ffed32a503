import CMoyaZlib
import Foundation

/// A `z_stream` with its input and output.
package final class ZlibStream {
    /// The maximum number of input bytes per call of zlib, whose counters have 32 bits.
    package static let longestInput = 1 << 30

    /// The input and output of ``step(maximum:_:)``, which are created when they are first used.
    lazy var buffers = CodingBuffers()
    // zlib's state points back to the stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let end: (UnsafeMutablePointer<z_stream>) -> CInt
    private let longestInput: Int

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - begin: The zlib function that initializes the stream.
    ///   - end: The zlib function that releases its memory.
    ///   - longestInput: For tests.
    /// - Throws: ``ZlibError``.
    package init(
        begin: (UnsafeMutablePointer<z_stream>) -> CInt,
        end: @escaping (UnsafeMutablePointer<z_stream>) -> CInt,
        longestInput: Int = ZlibStream.longestInput
    ) throws(ZlibError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
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
    }

    /// Calls zlib once.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of bytes of output.
    ///   - function: Calls zlib with the stream; `isAll` is whether the stream has all the input.
    /// - Returns: zlib's return code.
    func step(maximum: Int, _ function: (UnsafeMutablePointer<z_stream>, _ isAll: Bool) -> CInt) -> CInt {
        buffers.step(maximum: maximum) { call(input: $0, output: $1, function) }.result
    }

    /// Calls zlib once, with buffers of the caller.
    ///
    /// - Parameters:
    ///   - input: The unused input.
    ///   - output: The room for output, of less than 4 GiB.
    ///   - function: Calls zlib with the stream; `isAll` is whether the stream has all the input.
    /// - Returns: The number of bytes that zlib has used and produced, and its return code.
    package func call(
        input: UnsafeBufferPointer<UInt8>,
        output: UnsafeMutableBufferPointer<UInt8>,
        _ function: (UnsafeMutablePointer<z_stream>, _ isAll: Bool) -> CInt
    ) -> (progress: (used: Int, produced: Int), result: CInt) {
        let given = min(input.count, longestInput)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = uInt(given)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(output.count)
        defer { stream.pointee.next_in = nil }
        let code = function(stream, given == input.count)
        return ((given - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out)), code)
    }

    /// Resets the stream for other data, with the same or other window bits.
    package func reset(_ function: (UnsafeMutablePointer<z_stream>) -> CInt) throws(ZlibError) {
        let code = function(stream)
        guard code == Z_OK else { throw ZlibError(code) }
    }
}

/// A failure of zlib: out of memory, or a library that does not match its headers.
public struct ZlibError: Error, Equatable, Sendable {
    /// zlib's return code, such as `Z_MEM_ERROR` (-4).
    public let code: Int

    package init(_ code: CInt) { self.code = Int(code) }
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
