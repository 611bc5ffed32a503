import Foundation
import MoyaLocks

/// The events of each request by its number, recorded by the client and the server in one process.
final class SoakLedger: Sendable {
    private struct Entry {
        var isPOST = false
        var received: UInt8 = 0
        var refused: UInt8 = 0
        var ended: UInt8 = 0
        /// Whether the client was notified that the request is on a connection.
        var isOnConnection = false
        /// The time of the end, in milliseconds since the ledger was created.
        var endTime: UInt32 = 0
    }

    private struct State {
        var entries: [Entry]
        var violations: [String] = []
    }

    /// The delay, in milliseconds, by which data in transit may arrive after its request ended on a busy machine.
    private static let patience: UInt32 = 5_000
    /// The delay, in milliseconds, by which the client may learn that a request is on a connection after the server has read it:
    /// the client learns it when the first bytes have been written, which another thread may read before.
    private static let shortPatience: UInt32 = 250

    private let start = ContinuousClock.now
    private let state: Locked<State>

    init(count: Int) { state = Locked(State(entries: Array(repeating: Entry(), count: count))) }

    private var now: UInt32 { UInt32((ContinuousClock.now - start) / .milliseconds(1)) }

    func begin(_ id: Int, isPOST: Bool) { state.withLock { $0.entries[id].isPOST = isPOST } }

    func isOnConnection(_ id: Int) { state.withLock { $0.entries[id].isOnConnection = true } }

    func end(_ id: Int) {
        let now = now
        state.withLock { state in
            state.entries[id].ended &+= 1
            state.entries[id].endTime = now
        }
    }

    func violation(_ text: String) { state.withLock { $0.violations.append(text) } }

    /// Records that the server has received a request and will process it.
    func receive(_ id: Int) {
        let now = now
        state.withLock { state in
            guard state.entries.indices.contains(id) else { return state.violations.append("unknown request \(id)") }
            let entry = state.entries[id]
            state.entries[id].received &+= 1
            if entry.isPOST, entry.received > 0 { state.violations.append("POST \(id) received twice") }
            guard entry.ended > 0, now > entry.endTime else { return }
            let delay = now - entry.endTime
            if delay > (entry.isOnConnection ? Self.patience : Self.shortPatience) {
                let text = entry.isOnConnection ? "" : ", which came before it had a connection"
                state.violations.append("\(id) received \(delay) ms after its end\(text)")
            }
        }
    }

    /// Records that the server has rejected a request unprocessed, and returns the number of previous rejections.
    func refuse(_ id: Int) -> Int {
        state.withLock { state in
            guard state.entries.indices.contains(id) else { return 0 }
            defer { state.entries[id].refused &+= 1 }
            return Int(state.entries[id].refused)
        }
    }

    var summary: (notEndedOnce: Int, received: Int, violations: [String]) {
        state.withLock { state in
            (
                state.entries.reduce(0) { $0 + ($1.ended == 1 ? 0 : 1) },
                state.entries.reduce(0) { $0 + Int($1.received) },
                state.violations
            )
        }
    }
}
