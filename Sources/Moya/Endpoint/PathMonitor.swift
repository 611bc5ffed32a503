import Foundation

/// Warns, once for each target, if its path has a segment `..`: a value inserted into the path may lead to another route.
struct PathMonitor: Sendable {
    /// The monitor of all targets, which writes to standard error.
    static let standard = PathMonitor { text in FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    let warn: @Sendable (String) -> Void
    /// The names of targets and their cases, whose number the program limits.
    private let warned = Locked<Set<String>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Checks a target's path.
    ///
    /// - Parameters:
    ///   - path: The path as it appears in the URL.
    ///   - target: The target.
    func check(_ path: String, of target: some TargetType) {
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else { return }
        // The value is not shown, as it may be a secret.
        let climbs = path.lowercased().replacing("%2e", with: ".").split(separator: "/").contains("..")
        guard climbs else { return }
        let name = TargetName(target).description
        guard warned.withLock({ $0.insert(name).inserted }) else { return }
        warn(
            """
            Moya: the path of \(name) has a segment "..", which servers resolve to another route. Check values that are \
            inserted into a path; to send one that has slashes, escape it and return true for isPathEscaped.
            """
        )
    }
}
