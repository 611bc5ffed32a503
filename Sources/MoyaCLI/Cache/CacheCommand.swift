import ArgumentParser
import Foundation
import MoyaHTTP

/// The command `moya-cli cache`.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show the responses in a cache on disk.",
        discussion: """
            DIR is the directory of an HTTPCache.disk(at:). It can be shown while a program uses it; for --prune and --remove \
            no program may use it.
            """
    )

    @Argument(help: "The directory of the cache.", completion: .directory)
    var directory: String

    @Flag(help: "Remove stale responses.")
    var prune = false

    @Option(help: ArgumentHelp("Remove the responses for this URL.", valueName: "url"))
    var remove: String?

    func run() async throws {
        for line in try await lines(now: Date()) { print(line) }
    }

    /// Changes the cache according to the options, and returns the lines to print.
    func lines(now: Date) async throws -> [String] {
        let url = URL(fileURLWithPath: directory, isDirectory: true)
        try checkDirectory(url)
        guard prune || remove != nil else { return try Self.table(of: url, now: now) }
        // The maximum size is unlimited, so that the store removes no other responses.
        let store = try DiskCacheStore(directory: url, maximumSize: .max)
        let cache = HTTPCache(store: store)
        let before = try await cache.entries().count
        if let remove {
            guard let removed = URL(string: remove) else {
                throw ValidationError("This is not a URL: \(TerminalText(remove).text)")
            }
            try await cache.remove(removed)
        }
        if prune {
            for entry in try await cache.entries() where entry.remainingFreshness(at: now) <= 0 {
                try await store.remove(entry)
            }
        }
        let after = try await cache.entries().count
        return ["\(before - after) removed, \(after) left"]
    }

    /// Throws if the directory is not a cache, because a store would create a cache in any directory.
    private func checkDirectory(_ url: URL) throws {
        let name = TerminalText(directory).text
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ValidationError("There is no directory \(name).")
        }
        guard isDirectory.boolValue else {
            throw ValidationError("\(name) is a file: name the directory of an HTTPCache.disk(at:).")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        guard names.isEmpty || names.contains(where: { $0.wholeMatch(of: /v[0-9]+/) != nil }) else {
            throw ValidationError("\(name) has no cache: name the directory of an HTTPCache.disk(at:).")
        }
    }

    private static func table(of url: URL, now: Date) throws -> [String] {
        let entries = try DiskCacheStore.list(directory: url)
        var lines = ["status      size        age      fresh    used  uses  URL"]
        for (entry, lastUse) in entries.reversed() {
            let left = entry.remainingFreshness(at: now)
            let columns = [
                "\(entry.head.status)",
                "\(ByteCount(entry.bodySize))",
                time(entry.age(at: now)),
                left > 0 ? time(left) : "stale",
                time(max(0, now.timeIntervalSince1970 - lastUse)),
                "\(entry.useCount)",
            ]
            let widths = [6, 10, 11, 11, 8, 6]
            let text = zip(columns, widths).map { TerminalText($0).fitted(to: $1, alignsRight: true) }.joined()
            lines.append("\(text)  \(TerminalText(entry.key.url).text)\(variant(entry.head))")
        }
        let size = entries.reduce(0) { $0 + $1.entry.bodySize }
        lines.append("\(entries.count) \(entries.count == 1 ? "response" : "responses"), \(ByteCount(size))")
        return lines
    }

    /// The part of a request that selects a response; credentials and cookies are not shown.
    private static func variant(_ head: CachedHead) -> String {
        var parts = head.selectingFields.sorted { $0.key < $1.key }.map { name, value in
            ["cookie", "authorization"].contains(name) ? name : "\(name): \(value ?? "none")"
        }
        if head.credentials != nil { parts.append("with credentials or a Host header") }
        if head.part != nil { parts.append("a part") }
        return parts.isEmpty ? "" : " (\(TerminalText(parts.joined(separator: ", ")).text))"
    }

    private static func time(_ seconds: TimeInterval) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "unknown" }
        let seconds = Int(seconds)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86400) d"
        }
    }
}
