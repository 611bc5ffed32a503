import Foundation

/// The bytes of frames that have not been sent.
///
/// Frames are written into its memory, which becomes the memory of the taken `Data`, so that a payload is copied once.
// Unchecked because the memory is shared; the owner protects the buffer by a lock.
final class FrameBuffer: @unchecked Sendable {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit { free(memory) }

    /// Adds bytes at the end, which the closure must initialize.
    func append(_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        guard size > 0 else { return }
        if count + size > capacity {
            capacity = max(512, count + size, min(capacity * 2, capacity + 65_536))
            memory = realloc(memory, capacity)
        }
        // A system without memory has ended the process before.
        guard let memory else { return }
        write(UnsafeMutableRawBufferPointer(start: memory + count, count: size))
        count += size
    }

    /// Removes and returns all bytes; `nil` if there are none.
    func take() -> Data? {
        guard let memory, count > 0 else { return nil }
        defer { (self.memory, capacity, count) = (nil, 0, 0) }
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }
}
