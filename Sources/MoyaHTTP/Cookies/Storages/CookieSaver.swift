import Foundation

/// Saves a jar's cookies some time after they have changed, however often they have by then.
///
/// Writing blocks, so a queue does it, and no lock is held meanwhile. The queue does one thing after the other: a flush
/// that is asked for after a change writes it, or waits until it has been written.
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

    /// - Parameters:
    ///   - revision: What is in the file already.
    ///   - snapshot: The cookies that are to be saved now.
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

    /// Says that there may be something to save.
    func changed(to revision: UInt64) {
        let isFirst = state.withLock { state in
            guard revision != state.savedRevision, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isFirst else { return }
        // The queue keeps the saver, and so the cookies, until it has been done.
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) {
            self.state.withLock { $0.isScheduled = false }
            // What could not be saved is with the next change, or a flush that says why.
            try? self.save()
        }
    }

    /// Saves now what has changed.
    func flush() async throws(CookieFileError) {
        let result = OneShot<Result<Void, CookieFileError>>()
        queue.async { result.fulfil(Result { () throws(CookieFileError) in try self.save() }) }
        try await result.wait().get()
    }

    private func save() throws(CookieFileError) {
        let (cookies, revision) = snapshot()
        guard revision != state.withLock({ $0.savedRevision }) else { return }
        // Encoding cannot fail on finite times, and other times are not let in.
        guard let data = try? CookieFileFormat.encode(cookies) else { throw .couldNotWrite(url, code: EINVAL) }
        try write(data)
        state.withLock { $0.savedRevision = revision }
    }
}
