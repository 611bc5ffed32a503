#if Brotli
import CMoyaBrotli
import Foundation

/// A decoder for Brotli (RFC 7932), based on the system's libbrotlidec.
///
/// The window has at most 16 MiB, the maximum of the format; larger windows, which later versions of the library support, are
/// disabled.
/// Data that follows the end is an error.
final class BrotliDecoder: ContentDecoder {
    private enum Phase { case start, inside, over }

    private let state: OpaquePointer
    private var phase = Phase.start
    let buffers = CodingBuffers()
    var failure: ContentDecodingError?

    init() throws(ContentDecodingError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    var isComplete: Bool { phase != .inside }

    func advance(maximum: Int) throws(ContentDecodingError) -> Bool {
        switch phase {
        case .start:
            guard buffers.hasInput else { return false }
            phase = .inside
            return true
        case .inside:
            return try decode(maximum: maximum)
        case .over:
            guard !buffers.hasInput else { throw .corrupt(.brotli) }
            return false
        }
    }

    private func decode(maximum: Int) throws(ContentDecodingError) -> Bool {
        let (result, hasProgressed) = buffers.step(maximum: maximum) { input, output in
            var (inputCount, inputStart) = (input.count, input.baseAddress)
            var (room, outputStart) = (output.count, output.baseAddress)
            let result = BrotliDecoderDecompressStream(state, &inputCount, &inputStart, &room, &outputStart, nil)
            return ((input.count - inputCount, output.count - room), result)
        }
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS:
            phase = .over
            return true
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
            return buffers.hasInput && hasProgressed
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
            guard hasProgressed else { throw .corrupt(.brotli) }
            return true
        default:
            // The codes of failed allocations; the others are about the data.
            let isAllocation = (-30 ... -21).contains(BrotliDecoderGetErrorCode(state).rawValue)
            throw isAllocation ? .outOfMemory : .corrupt(.brotli)
        }
    }
}
#endif
