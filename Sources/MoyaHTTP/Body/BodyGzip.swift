import Foundation

/// Compresses a body as it is read.
// Unchecked because zlib's state is nothing to share: whoever reads the body is alone with it, as a reader reads from one
// place at a time.
final class BodyGzip: @unchecked Sendable {
    private let encoder: GzipEncoder
    private(set) var wantsMore = true

    init() throws(RequestBodyError) {
        do throws(ZlibError) {
            encoder = try GzipEncoder()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }

    /// Takes the next piece, `nil` at the end.
    func push(_ piece: Data?) {
        guard let piece else {
            wantsMore = false
            encoder.finish()
            return
        }
        encoder.push(piece)
    }

    /// Gives what is compressed; `nil` for want of more, or at the end.
    func next() throws(RequestBodyError) -> Data? {
        do throws(ZlibError) {
            return try encoder.next()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }
}
