import Foundation

/// A warning, once for each target, about a path with a segment `..`, which may lead to another route, or with parameters, which
/// are sent as a part of the path.
struct PathWarning: Sendable {
    /// The warning for all targets, which is written to standard error.
    static let standard = PathWarning { text in FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    let warn: @Sendable (String) -> Void
    /// The names of targets and their cases that had the warning; the program has a limited number of them.
    private let warned = Locked<Set<String>>([])
    private let warnedOfQuery = Locked<Set<String>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Checks a target's path.
    ///
    /// - Parameters:
    ///   - path: The path as it appears in the URL.
    ///   - target: The target.
    func check(_ path: String, of target: some TargetType) {
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else { return }
        // The value is not shown, because it may be a secret.
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

    /// Checks that a path that is to be escaped has no query, such as `/users?page=2`.
    ///
    /// A question mark in a value, such as a title, is legitimate, and so is one that the target has escaped.
    ///
    /// - Parameters:
    ///   - path: The path as the target has it.
    ///   - target: The target.
    func checkQuery(in path: String, of target: some TargetType) {
        guard let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return }
        guard path.utf8[mark...].contains(UInt8(ascii: "=")) else { return }
        let name = TargetName(target).description
        guard warnedOfQuery.withLock({ $0.insert(name).inserted }) else { return }
        warn(
            """
            Moya: the path of \(name) has a "?", which is sent as "%3F": the rest is not a query. Send parameters with the task, \
            as in .requestParameters(parameters: …, encoding: URLEncoding.queryString).
            """
        )
    }
}
