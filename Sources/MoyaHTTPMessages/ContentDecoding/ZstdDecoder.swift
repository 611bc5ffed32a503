#if Zstd
import CMoyaZstd
import Foundation

/// A decoder for Zstandard (RFC 8878), based on the system's libzstd.
///
/// The window has at most 8 MiB (RFC 9659, section 3); data that needs a larger one is not valid in this coding. Several
/// frames, and skippable ones, are decoded one after the other. Anything else that follows a frame is an error, also the
/// frames of versions before 0.8, which the library may know.
final class ZstdDecoder: ContentDecoder {
    private enum Phase {
        /// Before the first frame, or after one.
        case betweenFrames
        case inside
    }

    /// The base-2 logarithm of the largest window: 8 MiB.
    private static let largestWindow: CInt = 23

    private let context: OpaquePointer
    private var phase = Phase.betweenFrames
    let buffers = CodingBuffers()
    var failure: ContentDecodingError?

    init() throws(ContentDecodingError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindow)
    }

    deinit { ZSTD_freeDCtx(context) }

    var isComplete: Bool { phase == .betweenFrames && !buffers.hasInput }

    func advance(maximum: Int) throws(ContentDecodingError) -> Bool {
        switch phase {
        case .betweenFrames:
            let magic = buffers.waiting.prefix(4)
            guard magic.count == 4 else { return false }
            guard Self.isFrame(magic) else { throw .corrupt(.zstd) }
            phase = .inside
            return true
        case .inside:
            return try decode(maximum: maximum)
        }
    }

    /// Returns whether the bytes begin a frame, or a skippable frame (RFC 8878, section 3.1).
    private static func isFrame(_ magic: Data) -> Bool {
        let number = magic.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return number == 0xFD2F_B528 || number & 0xFFFF_FFF0 == 0x184D_2A50
    }

    private func decode(maximum: Int) throws(ContentDecodingError) -> Bool {
        let (result, hasProgressed) = buffers.step(maximum: maximum) { input, output in
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var room = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let result = ZSTD_decompressStream(context, &room, &source)
            return ((source.pos, room.pos), result)
        }
        guard ZSTD_isError(result) == 0 else {
            throw ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? .outOfMemory : .corrupt(.zstd)
        }
        if result == 0 { phase = .betweenFrames }
        // Without progress, and with room, the decoder needs more input.
        return result == 0 || hasProgressed
    }
}
#endif
