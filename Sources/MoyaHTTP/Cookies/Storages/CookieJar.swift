import Foundation

/// Keeps cookies as browsers do (RFC 6265bis), in memory or in a file.
///
/// Give it to a session, which stores what servers set and sends what belongs to each request; or use it by itself. It
/// may be used from any thread, and by several sessions at once.
///
/// A jar with a file (``init(file:ifDamaged:keepsSessionCookies:saveDelay:publicSuffixes:limits:trustsLoopback:now:)``)
/// saves its cookies shortly after they have changed. Call ``flush()`` before the process ends.
public final class CookieJar: CookieStorage {
    /// What to do with a file that holds no cookies.
    public enum DamagedFile: Hashable, Sendable {
        /// Throw ``CookieFileError/damaged(_:reason:)``.
        case fail
        /// Begin without cookies. The file gets another name, `<name>.damaged`, or with a number if that is taken.
        case moveAside
    }

    private let store: Locked<CookieStore>
    private let now: @Sendable () -> Date
    private let saver: CookieSaver?
    /// Changes when there is something to save.
    private let revision: @Sendable (CookieStore) -> UInt64

    /// Makes an empty jar that is lost with the process.
    ///
    /// - Parameters:
    ///   - publicSuffixes: The domains that no cookie can be for.
    ///   - limits: How many cookies are kept, and for how long.
    ///   - trustsLoopback: Whether connections to this machine (`localhost`, `127.0.0.1`, `::1`) count as secure ones
    ///     without TLS, as browsers have it, so that servers under development can set secure cookies.
    ///   - now: Gives the time; for tests.
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

    /// Makes a jar with the cookies of a file, and saves them there when they change.
    ///
    /// Reading blocks. The file is replaced in one step, so that after a crash it is the old one or the new one, and
    /// can be read by its owner only. It is made with the first change. Two jars must not share it: the one that saves
    /// last wins.
    ///
    /// - Parameters:
    ///   - file: The file URL of a file that is there, or that can be made in its folder. Links are not followed.
    ///   - ifDamaged: What to do with a file that holds no cookies.
    ///   - keepsSessionCookies: Whether cookies are saved, too, that the server gave no end.
    ///   - saveDelay: How long after a change the file is written. What changes by then is written with it.
    ///   - publicSuffixes: The domains that no cookie can be for.
    ///   - limits: How many cookies are kept, and for how long.
    ///   - trustsLoopback: Whether connections to this machine count as secure ones without TLS.
    ///   - now: Gives the time; for tests.
    /// - Throws: ``CookieFileError`` if there is a file that cannot be read, or no folder for it.
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

    /// All cookies that have not expired, in the order in which they came.
    public var cookies: [Cookie] {
        change { store, now in
            store.removeExpired(at: now)
            return store.cookies
        }
    }

    /// The cookies that are sent with a request, in the order in which they are.
    public func cookies(for url: URL, context: CookieContext = CookieContext()) -> [Cookie] {
        change { $0.cookies(for: url, at: $1, context: context) }
    }

    /// The value of the `Cookie` header for a request, or `nil` if there is no cookie for it.
    public func cookieHeader(for url: URL, context: CookieContext = CookieContext()) -> String? {
        change { $0.cookieHeader(for: url, at: $1, context: context) }
    }

    /// Keeps the cookies of a response. What breaks the rules of RFC 6265bis is ignored.
    public func store(setCookie fields: [String], from url: URL, context: CookieContext = CookieContext()) {
        guard !fields.isEmpty else { return }
        change { $0.store(setCookie: fields, from: url, at: $1, context: context) }
    }

    /// Keeps a cookie, in place of one with the same name, domain and path; one that has expired removes that.
    ///
    /// - Throws: ``CookieError`` if no server could have set it.
    public func set(_ cookie: Cookie) throws(CookieError) {
        try change { store, now in
            Result { () throws(CookieError) in try store.set(cookie, at: now) }
        }.get()
    }

    /// Removes the cookie with the same name, domain and path.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ cookie: Cookie) -> Bool { change { store, _ in store.remove(cookie) } }

    /// Removes all cookies.
    public func removeAll() { change { store, _ in store.removeAll() } }

    /// Removes the cookies that the server gave no end, as when a browser is closed.
    public func removeSessionCookies() { change { store, _ in store.removeSessionCookies() } }

    /// Waits until all that has changed is in the file. It does nothing in a jar without one.
    ///
    /// - Throws: ``CookieFileError`` if it could not be written.
    public func flush() async throws(CookieFileError) { try await saver?.flush() }

    private func change<Result: Sendable>(_ body: (inout CookieStore, Date) -> Result) -> Result {
        let now = now()
        let (result, number) = store.withLock { (body(&$0, now), revision($0)) }
        saver?.changed(to: number)
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
            throw .damaged(file.url, reason: "there is a cookie in it that no server could have set")
        }
    }
}
