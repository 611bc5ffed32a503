import Testing

@testable import MoyaHTTP

@Suite("A limiter keeps the states of a bounded number of keys")
struct KeyedStatesTests {
    private struct State: ForgettableState {
        var isIdle = true
        var isUsed = false
        var count = 0

        func isUnused(at now: Duration) -> Bool { !isUsed }
    }

    /// Uses keys in this order, and returns those that then have a state.
    private func remaining(after keys: [String], _ change: (String, inout State) -> Void = { _, _ in }) -> [String] {
        var states = KeyedStates<State>(maximum: 3)
        for key in keys {
            states.withState(of: .name(key), at: .zero, creating: { State() }) { state in
                state.count += 1
                change(key, &state)
            }
        }
        return Set(keys).sorted().filter { states.withExistingState(of: .name($0)) { $0.count > 0 } ?? false }
    }

    @Test("the state that was used least recently is forgotten")
    func leastRecentlyUsed() {
        #expect(remaining(after: ["a", "b", "c"]) == ["a", "b", "c"])
        #expect(remaining(after: ["a", "b", "c", "a", "d"]) == ["a", "c", "d"])
    }

    @Test("an unused state is forgotten before a used one, and a state with requests is kept")
    func order() {
        #expect(remaining(after: ["a", "b", "c", "d"]) { $1.isUsed = $0 == "a" } == ["a", "c", "d"])
        #expect(remaining(after: ["a", "b", "c", "d"]) { $1.isUsed = $0 != "d" } == ["b", "c", "d"])
        #expect(remaining(after: ["a", "b", "c", "d"]) { $1.isIdle = $0 != "a" } == ["a", "c", "d"])
        #expect(remaining(after: ["a", "b", "c", "d"]) { $1.isIdle = false } == ["a", "b", "c", "d"])
    }
}
