import CMoyaZlib
import Foundation

/// A failure of zlib: out of memory, or a library that does not match its headers.
public struct ZlibError: Error, Equatable, Sendable {
    /// zlib's return code, such as `Z_MEM_ERROR` (-4).
    public let code: Int

    init(_ code: CInt) { self.code = Int(code) }
}

extension ZlibError: LocalizedError {
    /// A sentence that describes the problem.
    public var errorDescription: String? {
        switch CInt(truncatingIfNeeded: code) {
        case Z_MEM_ERROR: "zlib is out of memory."
        case Z_VERSION_ERROR: "The zlib of this system does not match the version that the program was built with."
        default: "zlib failed with the code \(code)."
        }
    }
}
