import Foundation
import MoyaHTTP
import Testing

/// Records the calls of a progress handler.
final class ProgressLog: Sendable {
    struct Entry: Equatable, Sendable {
        let completed: Int64
        let total: Int64
    }

    private let log = Locked<[Entry]>([])
    private let started = ContinuousClock.now

    var entries: [Entry] { log.withLock { $0 } }

    var handler: ProgressHandler {
        { [log] progress in
            let entry = Entry(completed: progress.completedUnitCount, total: progress.totalUnitCount)
            log.withLock { $0.append(entry) }
        }
    }

    /// Expects entries that increase strictly up to a value, and that are not too frequent.
    func expectGoodOrder(last: Int64, total: Int64, sourceLocation: SourceLocation = #_sourceLocation) {
        let entries = entries
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy { $0.completed < $1.completed },
            sourceLocation: sourceLocation
        )
        #expect(entries.last?.completed == last, sourceLocation: sourceLocation)
        #expect(Set(entries.map(\.total)) == [total], sourceLocation: sourceLocation)
        // Each hundredth causes a report, and on a busy machine there are ten more per second.
        let most = 110 + 10 * (ContinuousClock.now - started).components.seconds
        #expect((1...Int(most)).contains(entries.count), sourceLocation: sourceLocation)
    }
}
