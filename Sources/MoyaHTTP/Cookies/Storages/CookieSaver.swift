import Foundation

/// A writer that saves the cookies of a jar with a delay after a change, combining further changes.
///
/// Writing blocks, so it is done on a serial queue and without a lock. A flush after a change writes that change,
/// or waits until it has been written.
final class CookieSaver: Sendable {
    private struct State: Sendable {
        var isScheduled = false
        var savedRevision: UInt64
    }

    private let queue = DispatchQueue(label: "moya.cookies", qos: .utility)
    private let state: Locked<State>
    private let delay: Duration
    private let url: URL
    private let snapshot: @Sendable () -> (cookies: [Cookie], revision: UInt64)
    private let write: @Sendable (Data) throws(CookieFileError) -> Void

    /// Creates a saver.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - delay: The delay after a change.
    ///   - revision: The revision in the file.
    ///   - snapshot: Returns the current cookies to save.
    ///   - write: Writes the file.
    init(
        _ url: URL,
        delay: Duration,
        revision: UInt64,
        snapshot: @escaping @Sendable () -> (cookies: [Cookie], revision: UInt64),
        write: @escaping @Sendable (Data) throws(CookieFileError) -> Void
    ) {
        self.url = url
        self.delay = delay
        self.snapshot = snapshot
        self.write = write
        state = Locked(State(savedRevision: revision))
    }

    /// Schedules a save if the revision has not been saved.
    func changed(to revision: UInt64) {
        let isFirst = state.withLock { state in
            guard revision != state.savedRevision, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isFirst else { return }
        // The queue retains the saver, and thus the cookies, until the save is complete.
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) {
            self.state.withLock { $0.isScheduled = false }
            // After a failure the changes are saved with the next one, or by a flush, which reports the error.
            try? self.save()
        }
    }

    /// Saves pending changes immediately.
    func flush() async throws(CookieFileError) {
        let result = Promise<Result<Void, CookieFileError>>()
        queue.async { result.fulfill(Result { () throws(CookieFileError) in try self.save() }) }
        try await result.wait().get()
    }

    private func save() throws(CookieFileError) {
        let (cookies, revision) = snapshot()
        guard revision != state.withLock({ $0.savedRevision }) else { return }
        // Encoding fails only for times that are not finite, which are rejected earlier.
        guard let data = try? CookieFileFormat.encode(cookies) else { throw .couldNotWrite(url, code: EINVAL) }
        try write(data)
        state.withLock { $0.savedRevision = revision }
    }
}
