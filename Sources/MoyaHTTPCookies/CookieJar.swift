import Foundation
import HTTPTypes
import MoyaPublicSuffixList

/// A cookie storage that follows the rules of browsers (RFC 6265bis), in memory or in a file.
///
/// Pass it to a session, which stores the cookies of responses and sends the matching ones, or use it directly. It
/// is thread-safe and can be shared by several sessions.
///
/// A jar with a file
/// (``init(file:ifDamaged:keepsSessionCookies:saveDelay:publicSuffixes:limits:trustsLoopback:now:)``) saves its
/// cookies shortly after a change. Call ``flush()`` before the process exits.
public final class CookieJar: CookieStorage {
    /// The handling of an invalid file.
    public enum DamagedFile: Hashable, Sendable {
        /// Throw ``CookieFileError/damaged(_:reason:)``.
        case fail
        /// Start without cookies.
        ///
        /// The file is renamed to `<name>.damaged`, with a number if that exists.
        case moveAside
    }

    private let store: Locked<CookieStore>
    private let now: @Sendable () -> Date
    private let saver: CookieSaver?
    /// Returns a number that changes if there is something to save.
    private let revision: @Sendable (CookieStore) -> UInt64

    /// Creates an empty jar in memory.
    ///
    /// - Parameters:
    ///   - publicSuffixes: The domains for which no cookies are accepted.
    ///   - limits: The limits on the number and lifetime of cookies.
    ///   - trustsLoopback: Whether connections to the local machine (`localhost`, `127.0.0.1`, `::1`) count as
    ///     secure without TLS, as in browsers, so that servers in development can set secure cookies.
    ///   - now: Returns the current time; for tests.
    public init(
        publicSuffixes: PublicSuffixList = .bundled,
        limits: CookieLimits = CookieLimits(),
        trustsLoopback: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = Locked(CookieStore(publicSuffixes: publicSuffixes, limits: limits, trustsLoopback: trustsLoopback))
        self.now = now
        saver = nil
        revision = { _ in 0 }
    }

    /// Creates a jar with the cookies of a file, which is updated when they change.
    ///
    /// Reading blocks. The file is replaced atomically, so that after a crash it is the old or the new one, and
    /// only its owner can read it. On Apple's platforms it is excluded from backups. It is created after the first
    /// change. Two jars must not share a file: the last one that saves would overwrite the other's cookies.
    ///
    /// - Parameters:
    ///   - file: A file URL; the folder must exist. Symbolic links are not followed.
    ///   - ifDamaged: The handling of an invalid file.
    ///   - keepsSessionCookies: Whether cookies without an expiration time are saved, too.
    ///   - saveDelay: The delay between a change and writing the file, which includes all changes until then.
    ///   - publicSuffixes: The domains for which no cookies are accepted.
    ///   - limits: The limits on the number and lifetime of cookies.
    ///   - trustsLoopback: Whether connections to the local machine count as secure without TLS.
    ///   - now: Returns the current time; for tests.
    /// - Throws: ``CookieFileError`` if the file cannot be read, or its folder does not exist.
    public convenience init(
        file: URL,
        ifDamaged: DamagedFile = .fail,
        keepsSessionCookies: Bool = false,
        saveDelay: Duration = .seconds(1),
        publicSuffixes: PublicSuffixList = .bundled,
        limits: CookieLimits = CookieLimits(),
        trustsLoopback: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(CookieFileError) {
        let cookieFile = try CookieFile(file)
        try self.init(
            cookieFile,
            store: CookieStore(publicSuffixes: publicSuffixes, limits: limits, trustsLoopback: trustsLoopback),
            ifDamaged: ifDamaged,
            keepsSessionCookies: keepsSessionCookies,
            saveDelay: saveDelay,
            now: now,
            write: { data throws(CookieFileError) in try cookieFile.write(data) }
        )
    }

    init(
        _ file: CookieFile,
        store empty: CookieStore,
        ifDamaged: DamagedFile = .fail,
        keepsSessionCookies: Bool = false,
        saveDelay: Duration = .seconds(1),
        now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (Data) throws(CookieFileError) -> Void
    ) throws(CookieFileError) {
        var loaded = empty
        do throws(CookieFileError) {
            try loaded.load(file, at: now())
        } catch .damaged where ifDamaged == .moveAside {
            loaded = empty
            try file.moveAside()
        }
        let store = Locked(loaded)
        self.store = store
        self.now = now
        let revision: @Sendable (CookieStore) -> UInt64 = {
            keepsSessionCookies ? $0.revision : $0.persistentRevision
        }
        self.revision = revision
        saver = CookieSaver(
            file.url,
            delay: saveDelay,
            revision: revision(loaded),
            snapshot: {
                let (cookies, number) = store.withLock { ($0.cookies, revision($0)) }
                return (keepsSessionCookies ? cookies : cookies.filter(\.isPersistent), number)
            },
            write: write
        )
    }

    /// All cookies that have not expired, in the order received.
    public var cookies: [Cookie] {
        change { store, now in
            store.removeExpired(at: now)
            return store.cookies
        }
    }

    /// Returns the cookies for a request, in the order in which they are sent.
    public func cookies(for url: URL, context: CookieContext = CookieContext()) -> [Cookie] {
        change { $0.cookies(for: url, at: $1, context: context) }
    }

    /// Returns the value of the `Cookie` header for a request, or `nil` if there are no cookies for it.
    ///
    /// A value that is not valid UTF-8 is decoded as ISO 8859-1.
    public func cookieHeader(for url: URL, context: CookieContext = CookieContext()) -> String? {
        change { $0.cookieHeader(for: url, at: $1, context: context) }
    }

    /// Returns the `Cookie` field for a request, with the bytes that were received, or `nil` if there are no cookies for it.
    public func cookieField(for url: URL, context: CookieContext = CookieContext()) -> HTTPField? {
        change { $0.cookieField(for: url, at: $1, context: context) }
    }

    /// Stores the cookies of a response, with their bytes.
    ///
    /// Cookies that are invalid according to RFC 6265bis are ignored.
    public func store(setCookieFields fields: [HTTPField], from url: URL, context: CookieContext = CookieContext()) {
        guard !fields.isEmpty else { return }
        change { $0.store(setCookie: fields.map(\.bytes), from: url, at: $1, context: context) }
    }

    /// Stores the cookies of a response.
    ///
    /// Cookies that are invalid according to RFC 6265bis are ignored.
    public func store(setCookie fields: [String], from url: URL, context: CookieContext = CookieContext()) {
        guard !fields.isEmpty else { return }
        change { $0.store(setCookie: fields, from: url, at: $1, context: context) }
    }

    /// Stores a cookie, replacing one with the same name, domain and path; an expired cookie only removes that.
    ///
    /// - Throws: ``CookieError`` if no server could have set the cookie.
    public func set(_ cookie: Cookie) throws(CookieError) {
        try change { store, now in
            Result { () throws(CookieError) in try store.set(cookie, at: now) }
        }.get()
    }

    /// Removes the cookie with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie.
    /// - Returns: Whether the cookie existed.
    @discardableResult
    public func remove(_ cookie: Cookie) -> Bool { change { store, _ in store.remove(cookie) } }

    /// Removes all cookies.
    public func removeAll() { change { store, _ in store.removeAll() } }

    /// Removes the cookies without an expiration time, as when a browser is closed.
    public func removeSessionCookies() { change { store, _ in store.removeSessionCookies() } }

    /// Waits until all changes are in the file.
    ///
    /// It does nothing in a jar without a file.
    ///
    /// - Throws: ``CookieFileError`` if the file could not be written.
    public func flush() async throws(CookieFileError) { try await saver?.flush() }

    private func change<Result: Sendable>(_ body: (inout CookieStore, Date) -> Result) -> Result {
        let now = now()
        let (result, number) = store.withLock { (body(&$0, now), revision($0)) }
        saver?.scheduleSave(of: number)
        return result
    }
}

extension CookieStore {
    fileprivate mutating func load(_ file: CookieFile, at now: Date) throws(CookieFileError) {
        guard let data = try file.read() else { return }
        do {
            try restore(CookieFileFormat.decode(data), at: now)
        } catch let error as CookieFileFormat.Failure {
            switch error {
            case .damaged(let reason): throw .damaged(file.url, reason: reason)
            case .newer(let format): throw .newerFormat(file.url, format: format)
            }
        } catch {
            throw .damaged(file.url, reason: "it contains an invalid cookie")
        }
    }
}

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
    func scheduleSave(of revision: UInt64) {
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
