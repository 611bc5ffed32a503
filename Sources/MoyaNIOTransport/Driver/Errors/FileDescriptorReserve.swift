#if NIO && !canImport(Darwin)
import Foundation

/// The file descriptors that connections leave to the rest of the process.
///
/// The process needs some at any time: libdispatch, for example, opens files in `/proc` to observe its threads, and ends
/// the process if it cannot.
enum FileDescriptorReserve {
    /// Returns the size of the reserve for the maximum number of descriptors of a process.
    static func size(forLimit limit: Int) -> Int { min(limit / 8, 32) }

    /// Whether a connection would use a descriptor of the reserve, or none is free.
    ///
    /// The system assigns the lowest free number.
    static var isReached: Bool {
        guard let descriptor = nextDescriptor() else { return true }
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return false }
        let limit = Int(clamping: limits.rlim_cur)
        return Int(descriptor) >= limit - size(forLimit: limit)
    }

    /// Whether the process, or the system, has no file descriptors left.
    static var isExhausted: Bool { nextDescriptor() == nil }

    /// Returns the descriptor that the next file would have; `nil` if none is free, and -1 if it is unknown.
    private static func nextDescriptor() -> Int32? {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [EMFILE, ENFILE].contains(errno) ? nil : -1 }
        close(descriptor)
        return descriptor
    }
}
#endif
