import Foundation

/// A gzip encoder for a body that is read piece by piece.
// Unchecked because zlib's state is not shared: a reader reads from one task or thread at a time.
final class BodyGzip: @unchecked Sendable {
    private let encoder: GzipEncoder

    init() throws(RequestBodyError) {
        do throws(ZlibError) {
            encoder = try GzipEncoder()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }

    func push(_ bytes: Data) { encoder.push(bytes) }

    func finish() { encoder.finish() }

    /// Returns the next compressed piece; `nil` if more input is needed, or at the end.
    func next() throws(RequestBodyError) -> Data? {
        do throws(ZlibError) {
            return try encoder.next()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
    }
}
