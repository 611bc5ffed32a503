import Foundation

extension FileCalls {
    /// The calls that write a file to its disk, the preferred one first.
    ///
    /// On Darwin `fsync` leaves the data in the volatile cache of the drive. `F_BARRIERFSYNC` makes the drive write the data before
    /// all later changes, such as the new name of the file; `F_FULLFSYNC` waits until the drive has written everything.
    static let flushing: [@Sendable (_ descriptor: Int32) -> Int32] = {
        #if canImport(Darwin)
        [{ fcntl($0, F_BARRIERFSYNC) }, { fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
        #else
        [{ fsync($0) }]
        #endif
    }()

    /// Writes a file to its disk, so that its content survives a power failure if the rename that follows survives.
    ///
    /// - Parameters:
    ///   - descriptor: The open file or folder.
    ///   - calls: The calls; each is made only if the file system does not support the previous one.
    /// - Throws: ``Failure``.
    package static func flush(
        _ descriptor: Int32,
        by calls: [@Sendable (_ descriptor: Int32) -> Int32] = flushing
    ) throws(Failure) {
        var failure = Failure(code: ENOTSUP)
        for call in calls {
            do throws(Failure) {
                try repeating { call(descriptor) }
                return
            } catch {
                failure = error
                guard unsupported.union([ENOTTY]).contains(error.code) else { throw error }
            }
        }
        throw failure
    }
}
