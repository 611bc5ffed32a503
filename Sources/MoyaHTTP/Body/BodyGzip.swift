import Foundation

/// A gzip encoder for a body that is read piece by piece.
// Unchecked because zlib's state is not shared: a reader reads from one task or thread at a time.
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

    /// Adds the next piece; `nil` marks the end.
    func push(_ piece: Data?) {
        guard let piece else {
            wantsMore = false
            encoder.finish()
            return
        }
        encoder.push(piece)
    }

    /// Returns the next compressed piece; `nil` if more input is needed, or at the end.
    func next() throws(RequestBodyError) -> Data? {
        do throws(ZlibError) {
            return try encoder.next()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }
}
