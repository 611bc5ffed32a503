import Foundation
import MoyaHTTP

/// Finds recorded entries for requests, and tracks which entries have been used.
package struct HARMatcher: Sendable {
    private struct Key: Hashable, Sendable {
        let method: String?
        let path: ExactText?
    }

    /// The entries of the recording.
    package let entries: [HAR.Entry]
    private let matching: HARMatching
    private let secrets: HARSecrets
    private let recorded: [MatchedRequest]
    /// The positions of the entries by method and path, so that a request needs no linear search.
    private let places: [Key: [Int]]
    /// The positions of the entries with masked paths, which may match any path.
    private let maskedPaths: [Int]
    private var used: Set<Int> = []
    /// The position of the next entry in the order ``HARMatching/Order/recorded``.
    private var next = 0

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - matching: How requests are matched with entries.
    ///   - secrets: The secrets that are masked in requests and entries before they are compared.
    package init(_ har: HAR, matching: HARMatching = HARMatching(), secrets: HARSecrets = .standard) {
        self.matching = matching
        self.secrets = secrets
        entries = har.entries
        recorded = entries.map { MatchedRequest($0.request.masking(secrets), matching: matching) }
        var places: [Key: [Int]] = [:]
        var masked: [Int] = []
        for (index, request) in recorded.enumerated() {
            if request.url.path.contains(HARSecrets.placeholder) {
                masked.append(index)
            } else {
                places[Self.key(request, matching.parts), default: []].append(index)
            }
        }
        self.places = places
        maskedPaths = masked
    }

    /// The entries that have not been used, masked, with their positions.
    package var unused: [(index: Int, entry: HAR.Entry)] {
        entries.indices.filter { !used.contains($0) }.map { maskedEntry(at: $0) }
    }

    /// Returns the entry for a request, and marks it as used.
    ///
    /// - Parameter request: The request.
    /// - Returns: The entry and its position.
    /// - Throws: ``HARMismatch`` if no entry matches.
    package mutating func take(_ request: HAR.Request) throws(HARMismatch) -> (index: Int, entry: HAR.Entry) {
        let request = request.masking(secrets)
        let actual = MatchedRequest(request, matching: matching)
        let index =
            switch matching.order {
            case .any: try takeAny(actual, request)
            case .recorded: try takeNext(actual, request)
            }
        used.insert(index)
        return (index, entries[index])
    }

    /// Returns the positions of all entries that match a request, including used ones.
    package func matches(for request: HAR.Request) -> [Int] {
        matches(for: MatchedRequest(request.masking(secrets), matching: matching))
    }

    /// Returns the mismatch for a request that no entry matches.
    package func mismatch(for request: HAR.Request) -> HARMismatch {
        let request = request.masking(secrets)
        return mismatch(.noMatch, of: MatchedRequest(request, matching: matching), request)
    }

    private func takeAny(_ actual: MatchedRequest, _ request: HAR.Request) throws(HARMismatch) -> Int {
        let places = candidates(for: actual)
        if let index = places.first(where: { !used.contains($0) && isMatch(at: $0, actual) }) { return index }
        guard let last = places.last(where: { isMatch(at: $0, actual) }) else {
            throw mismatch(.noMatch, of: actual, request)
        }
        guard matching.repeats else {
            throw HARMismatch(.usedUp, request: request, nearest: maskedEntry(at: last))
        }
        return last
    }

    private mutating func takeNext(_ actual: MatchedRequest, _ request: HAR.Request) throws(HARMismatch) -> Int {
        if next == entries.count, matching.repeats { next = 0 }
        guard next < entries.count else {
            throw entries.isEmpty
                ? HARMismatch(.empty, request: request) : HARMismatch(.pastTheEnd, request: request)
        }
        let differences = recorded[next].differences(to: actual, in: matching.parts)
        guard differences.isEmpty else {
            throw HARMismatch(
                .outOfOrder,
                request: request,
                nearest: maskedEntry(at: next),
                differences: differences
            )
        }
        defer { next += 1 }
        return next
    }

    private func matches(for actual: MatchedRequest) -> [Int] {
        candidates(for: actual).filter { isMatch(at: $0, actual) }
    }

    /// Returns the positions of entries that may match, in order.
    private func candidates(for actual: MatchedRequest) -> [Int] {
        let places = places[Self.key(actual, matching.parts)] ?? []
        return maskedPaths.isEmpty ? places : (places + maskedPaths).sorted()
    }

    private func isMatch(at index: Int, _ actual: MatchedRequest) -> Bool {
        recorded[index].differences(to: actual, in: matching.parts).isEmpty
    }

    private func mismatch(
        _ reason: HARMismatch.Reason,
        of actual: MatchedRequest,
        _ request: HAR.Request
    ) -> HARMismatch {
        let likeness = recorded.enumerated().map { index, recorded in
            let differences = recorded.differences(to: actual, in: matching.parts)
            return (index: index, differences: differences, weight: differences.reduce(0) { $0 + $1.weight })
        }
        guard let nearest = likeness.min(by: { $0.weight < $1.weight }) else {
            return HARMismatch(.empty, request: request)
        }
        return HARMismatch(
            reason,
            request: request,
            nearest: maskedEntry(at: nearest.index),
            differences: nearest.differences
        )
    }

    /// Returns an entry with secrets masked, for errors.
    private func maskedEntry(at index: Int) -> (index: Int, entry: HAR.Entry) {
        (index, entries[index].masking(secrets))
    }

    private static func key(_ request: MatchedRequest, _ parts: HARMatching.Parts) -> Key {
        Key(
            method: parts.contains(.method) ? request.method : nil,
            path: parts.contains(.path) ? ExactText(request.url.path) : nil
        )
    }
}
