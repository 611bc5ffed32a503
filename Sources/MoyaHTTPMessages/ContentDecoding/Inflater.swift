import CMoyaZlib
import Foundation

/// A decoder for gzip or deflate, based on zlib.
///
/// Data that may follow the end of the coded data:
/// - gzip: another member, which is decoded as well (RFC 1952, section 2.2), and zero bytes, as in gzip(1);
/// - raw deflate data: up to four bytes, as in curl, for the checksum that some servers send;
/// - zlib format: none.
///
/// Anything else is an error, as in curl. Browsers ignore it, but then one damaged byte could hide a member.
final class Inflater: ContentDecoder {
    private enum Phase {
        /// Before the first bytes.
        case start
        /// In the zlib data; `trailer` is the number of bytes that may follow its end.
        case inside(trailer: Int)
        /// After a member of a gzip file.
        case betweenMembers
        /// After the end of a format without members.
        case over(trailer: Int)
    }

    private let coding: ContentCoding
    private let stream: ZlibStream
    private var phase = Phase.start
    var failure: ContentDecodingError?

    /// Creates a decoder; `longestInput` is for tests.
    init(_ coding: ContentCoding, longestInput: Int = ZlibStream.longestInput) throws(ContentDecodingError) {
        self.coding = coding
        let bits = coding == .gzip ? Self.gzipBits : Self.zlibBits
        do throws(ZlibError) {
            stream = try ZlibStream(
                begin: { inflateInit2_($0, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) },
                end: inflateEnd,
                longestInput: longestInput
            )
        } catch {
            throw .zlib(error)
        }
    }

    // The largest window, with zlib's three values for the surrounding format.
    private static let zlibBits = MAX_WBITS
    private static let rawBits = -MAX_WBITS
    private static let gzipBits = MAX_WBITS + 16

    var buffers: CodingBuffers { stream.buffers }

    var isComplete: Bool {
        switch phase {
        case .start, .betweenMembers: !buffers.hasInput
        case .inside: false
        case .over: true
        }
    }

    func advance(maximum: Int) throws(ContentDecodingError) -> Bool {
        switch phase {
        case .start: try start()
        case .inside(let trailer): try inflate(maximum: maximum, trailer: trailer)
        case .betweenMembers: try startNextMember()
        case .over(let trailer): try skip(trailer: trailer)
        }
    }

    private func start() throws(ContentDecodingError) -> Bool {
        let head = buffers.waiting.prefix(2)
        if coding == .gzip {
            guard !head.isEmpty else { return false }
            phase = .inside(trailer: 0)
        } else {
            guard let first = head.first, let second = head.dropFirst().first else { return false }
            let isZlib = Self.isZlibHeader(first, second)
            if !isZlib { try reset { inflateReset2($0, Self.rawBits) } }
            phase = .inside(trailer: isZlib ? 0 : 4)
        }
        return true
    }

    /// Returns whether the bytes are a zlib header (RFC 1950, section 2.2): method 8, a window of up to 32 KiB, and
    /// a multiple of 31.
    ///
    /// Raw deflate data starts like this only if it starts with a stored block and has bits set in the padding;
    /// compressors leave them zero.
    static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
    }

    private func inflate(maximum: Int, trailer: Int) throws(ContentDecodingError) -> Bool {
        switch stream.step(maximum: maximum, { zlib, _ in CMoyaZlib.inflate(zlib, Z_NO_FLUSH) }) {
        case Z_OK:
            // If there is room left, zlib has produced all output for this input.
            return buffers.hasInput
        case Z_BUF_ERROR:
            return false
        case Z_STREAM_END:
            phase = coding == .gzip ? .betweenMembers : .over(trailer: trailer)
            return true
        case Z_DATA_ERROR, Z_NEED_DICT:
            throw .corrupt(coding)
        case let code:
            throw .zlib(ZlibError(code))
        }
    }

    private func startNextMember() throws(ContentDecodingError) -> Bool {
        buffers.skip(buffers.waiting.prefix { $0 == 0 }.count)
        guard let first = buffers.waiting.first else { return false }
        guard first == 0x1F else { throw .corrupt(coding) }
        try reset(inflateReset)
        phase = .inside(trailer: 0)
        return true
    }

    private func skip(trailer: Int) throws(ContentDecodingError) -> Bool {
        guard buffers.hasInput else { return false }
        let count = buffers.waiting.count
        guard count <= trailer else { throw .corrupt(coding) }
        buffers.skip(count)
        phase = .over(trailer: trailer - count)
        return false
    }

    private func reset(_ function: (UnsafeMutablePointer<z_stream>) -> CInt) throws(ContentDecodingError) {
        do throws(ZlibError) { try stream.reset(function) } catch { throw .zlib(error) }
    }
}
