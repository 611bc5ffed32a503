// swift-format-ignore-file
// These classes of Foundation are Sendable on Linux and not on Apple's platforms. They hide the classes of the same names. They have
// only the members that the sources need, as the SDK declares them.
@_exported import Darwin

open class FileManager: NSObject {
    public typealias SearchPathDirectory = Foundation.FileManager.SearchPathDirectory
    public typealias SearchPathDomainMask = Foundation.FileManager.SearchPathDomainMask
    public typealias DirectoryEnumerationOptions = Foundation.FileManager.DirectoryEnumerationOptions
    public typealias DirectoryEnumerator = Foundation.FileManager.DirectoryEnumerator

    open class var `default`: FileManager { fatalError() }
    public override init() {}
    open var temporaryDirectory: URL { fatalError() }
    open var homeDirectoryForCurrentUser: URL { fatalError() }
    open var currentDirectoryPath: String { fatalError() }
    open func isWritableFile(atPath path: String) -> Bool { fatalError() }
    open func removeItem(at URL: URL) throws {}
    open func removeItem(atPath path: String) throws {}
    open func moveItem(at srcURL: URL, to dstURL: URL) throws {}
    open func moveItem(atPath srcPath: String, toPath dstPath: String) throws {}
    open func copyItem(at srcURL: URL, to dstURL: URL) throws {}
    open func linkItem(at srcURL: URL, to dstURL: URL) throws {}
    open func linkItem(atPath srcPath: String, toPath dstPath: String) throws {}
    open func createFile(atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil) -> Bool {
        fatalError()
    }
    open func createDirectory(
        at url: URL,
        withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    open func createDirectory(
        atPath path: String,
        withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    open func createSymbolicLink(at url: URL, withDestinationURL destURL: URL) throws {}
    open func createSymbolicLink(atPath path: String, withDestinationPath destPath: String) throws {}
    open func destinationOfSymbolicLink(atPath path: String) throws -> String { fatalError() }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
    open func contentsOfDirectory(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = []
    ) throws -> [URL] { fatalError() }
    open func subpathsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
    open func enumerator(atPath path: String) -> DirectoryEnumerator? { fatalError() }
    open func enumerator(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = [],
        errorHandler handler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { fatalError() }
    open func fileExists(atPath path: String) -> Bool { fatalError() }
    open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
    open func isExecutableFile(atPath path: String) -> Bool { fatalError() }
    open func isReadableFile(atPath path: String) -> Bool { fatalError() }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
    open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    open func contents(atPath path: String) -> Data? { fatalError() }
    open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { fatalError() }
    open func url(
        for directory: SearchPathDirectory,
        in domain: SearchPathDomainMask,
        appropriateFor url: URL?,
        create shouldCreate: Bool
    ) throws -> URL { fatalError() }
    open func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}

@available(*, unavailable)
extension FileManager: Sendable {}

// Process exists only on macOS.
open class Process: NSObject {
    public typealias TerminationReason = Foundation.Process.TerminationReason

    public override init() {}
    open class func run(
        _ url: URL,
        arguments: [String],
        terminationHandler: (@Sendable (Process) -> Void)? = nil
    ) throws -> Process { fatalError() }
    open var executableURL: URL?
    open var currentDirectoryURL: URL?
    open var arguments: [String]?
    open var environment: [String: String]?
    open var standardInput: Any?
    open var standardOutput: Any?
    open var standardError: Any?
    open var terminationHandler: (@Sendable (Process) -> Void)?
    open var isRunning: Bool { fatalError() }
    open var processIdentifier: Int32 { fatalError() }
    open var terminationStatus: Int32 { fatalError() }
    open var terminationReason: TerminationReason { fatalError() }
    open func run() throws {}
    open func interrupt() {}
    open func terminate() {}
    open func waitUntilExit() {}
}

@available(*, unavailable)
extension Process: Sendable {}

open class Thread: NSObject {
    open class var current: Thread { fatalError() }
    open class var isMainThread: Bool { fatalError() }
    open class var main: Thread { fatalError() }
    open class func sleep(forTimeInterval ti: TimeInterval) {}
    public override init() {}
    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
    open var isMainThread: Bool { fatalError() }
    open var name: String?
    open var stackSize: Int = 0
    open func start() {}
}

@available(*, unavailable)
extension Thread: Sendable {}

open class RunLoop: NSObject {
    public typealias Mode = Foundation.RunLoop.Mode

    @available(*, noasync) open class var current: RunLoop { fatalError() }
    open class var main: RunLoop { fatalError() }
    open func run() {}
    open func run(until limitDate: Date) {}
    open func run(mode: Mode, before limitDate: Date) -> Bool { fatalError() }
}

@available(*, unavailable)
extension RunLoop: Sendable {}
