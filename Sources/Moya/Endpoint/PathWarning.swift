import Foundation

/// Warns once for each target about a path that has a segment `..`, which may lead to another route, or parameters, which are
/// sent as a part of the path.
struct PathWarning: Sendable {
    /// The warning for all targets, which is written to standard error.
    static let standard = PathWarning { text in FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    let warn: @Sendable (String) -> Void
    /// The names of targets and cases for which a warning was written; a program has a limited number of them.
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
        // The warning does not show the path, which may contain a secret.
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

    /// Warns if a path that is not escaped yet has a query, such as `/users?page=2`.
    ///
    /// A question mark without a following `=` is allowed, because a value, such as a title, may contain one.
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
