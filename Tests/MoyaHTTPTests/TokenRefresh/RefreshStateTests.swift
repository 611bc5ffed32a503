import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The refresh of a credential is decided by a state machine")
struct RefreshStateTests {
    private static let requests = (0..<4).map { _ in UUID() }

    enum Step: Sendable {
        case requested(requiresRefresh: Bool = true, seen: Int = 0, at: Int = 0, RefreshState.Action)
        case refused(Int, isCurrent: Bool = true, seen: Int = 0, at: Int = 0, RefreshState.Action)
        case used(Int, seen: Int)
        case ended(Int)
        case left(Int)
        case succeeded(Int, Set<Int>?)
        case failed(Int, Set<Int>?)
        case credentialSet(Set<Int>)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        var window: RefreshWindow? = RefreshWindow(interval: 30, maximumAttempts: 2)
        let steps: [Step]
        let generation: Int

        var testDescription: String { rule }
    }

    private static func fail(_ limit: AuthenticationError.Limit) -> RefreshState.Action {
        .fail(AuthenticationError(.excessiveRefresh, limit: limit))
    }

    /// Compares actions, and the limits of their errors if one is expected.
    private static func expect(_ found: RefreshState.Action, _ expected: RefreshState.Action, _ index: Int) {
        #expect(found == expected, "step \(index)")
        guard case (.fail(let found), .fail(let expected)) = (found, expected), let limit = expected.limit else {
            return
        }
        #expect(found.limit == limit, "step \(index)")
    }

    /// The steps of a request for which each refreshed credential is refused after another request has used it.
    private static let fiveRefusals: [Step] = {
        var steps: [Step] = [.refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2])]
        for number in 1..<5 {
            let id = 2 * number + 1
            steps += [.used(0, seen: number), .used(1, seen: number)]
            steps += [.refused(0, seen: number, .refresh(id: id, waiter: id + 1)), .succeeded(id, [id + 1])]
        }
        return steps + [.used(0, seen: 5), .used(1, seen: 5), .refused(0, seen: 5, fail(.refusals(5)))]
    }()

    static let table: [Row] = [
        Row(
            rule: "a valid credential is used",
            steps: [.requested(requiresRefresh: false, .proceed)],
            generation: 0
        ),
        Row(
            rule: "an expired credential is refreshed once for all requests",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .requested(.wait(waiter: 3)),
                .requested(requiresRefresh: false, .wait(waiter: 4)), .refused(0, .wait(waiter: 5)),
                .succeeded(1, [2, 3, 4, 5]), .requested(requiresRefresh: false, seen: 1, .proceed),
            ],
            generation: 1
        ),
        Row(
            rule: "a refusal starts one refresh for all requests",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .refused(1, .wait(waiter: 3)),
                .refused(2, isCurrent: false, .wait(waiter: 4)), .succeeded(1, [2, 3, 4]),
            ],
            generation: 1
        ),
        Row(
            rule: "a request that has stopped waiting is not resumed",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .requested(.wait(waiter: 3)), .left(2), .left(2), .left(99),
                .succeeded(1, [3]), .left(3),
            ],
            generation: 1
        ),
        Row(
            rule: "a refresh continues if no request waits any more",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .left(2), .requested(.wait(waiter: 3)), .left(3),
                .succeeded(1, []),
            ],
            generation: 1
        ),
        Row(
            rule: "a failed refresh keeps the credential, and the next request starts another refresh",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .failed(1, [2]), .requested(.refresh(id: 3, waiter: 4)),
                .failed(3, [4]),
            ],
            generation: 0
        ),
        Row(
            rule: "a refresh ends once",
            steps: [.requested(.refresh(id: 1, waiter: 2)), .succeeded(1, [2]), .succeeded(1, nil), .failed(1, nil)],
            generation: 1
        ),
        Row(
            rule: "a credential that is set replaces the running refresh",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .credentialSet([2]), .succeeded(1, nil), .failed(1, nil),
                .left(2),
            ],
            generation: 1
        ),
        Row(
            rule: "the replaced refresh does not end a refresh of the new credential",
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .credentialSet([2]),
                .requested(seen: 1, .refresh(id: 3, waiter: 4)), .succeeded(1, nil),
                .requested(seen: 1, .wait(waiter: 5)),
                .succeeded(3, [4, 5]),
            ],
            generation: 2
        ),
        Row(
            rule: "a request with an earlier credential proceeds with the current one",
            steps: [
                .credentialSet([]), .requested(seen: 0, .proceed), .refused(0, seen: 0, .proceed),
                .refused(1, isCurrent: false, seen: 0, .proceed),
            ],
            generation: 1
        ),
        Row(
            rule: "a request that is refused with an earlier credential is repeated with the current one",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2]),
                .refused(1, isCurrent: false, seen: 1, .proceed),
            ],
            generation: 1
        ),
        Row(
            rule: "a repeated request that is again without the credential is left",
            steps: [.refused(0, isCurrent: false, .proceed), .refused(0, isCurrent: false, .leave)],
            generation: 0
        ),
        Row(
            rule: "a refusal of a repeated request starts a refresh",
            steps: [.refused(0, isCurrent: false, .proceed), .refused(0, .refresh(id: 1, waiter: 2))],
            generation: 0
        ),
        Row(
            rule: "a refusal fails a request that has waited for the refresh, and no other one",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .refused(1, .wait(waiter: 3)), .succeeded(1, [2, 3]),
                .refused(0, seen: 1, fail(.newCredential)), .refused(1, seen: 1, fail(.newCredential)),
                .refused(2, seen: 1, .refresh(id: 4, waiter: 5)),
            ],
            generation: 1
        ),
        Row(
            rule: "a refusal after the credential was set starts a refresh",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .credentialSet([2]),
                .refused(0, seen: 1, .refresh(id: 3, waiter: 4)),
            ],
            generation: 1
        ),
        Row(
            rule: "a refusal after the end of the request starts a refresh",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2]), .ended(0),
                .refused(0, seen: 1, .refresh(id: 3, waiter: 4)),
            ],
            generation: 1
        ),
        Row(
            rule:
                "a request that has used the refreshed credential twice, as after a redirect, fails",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2]), .used(0, seen: 1), .used(0, seen: 1),
                .refused(0, seen: 1, fail(.newCredential)),
            ],
            generation: 1
        ),
        Row(
            rule: "a request fails if others have used only an earlier credential",
            steps: [
                .used(1, seen: 0), .refused(0, .refresh(id: 1, waiter: 2)), .used(1, seen: 0), .succeeded(1, [2]),
                .used(1, seen: 0), .used(0, seen: 1), .refused(0, seen: 1, fail(.newCredential)),
            ],
            generation: 1
        ),
        Row(
            rule: "a refusal starts a refresh if another request has used the credential",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .refused(1, .wait(waiter: 3)), .succeeded(1, [2, 3]),
                .used(0, seen: 1), .used(1, seen: 1), .refused(0, seen: 1, .refresh(id: 4, waiter: 5)),
                .refused(1, seen: 1, .wait(waiter: 6)), .succeeded(4, [5, 6]), .used(0, seen: 2),
                .refused(0, seen: 2, fail(.newCredential)),
            ],
            generation: 2
        ),
        Row(
            rule: "a request fails after as many refusals as the window allows refreshes, at any time",
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2]), .used(0, seen: 1), .used(1, seen: 1),
                .refused(0, seen: 1, at: 40, .refresh(id: 3, waiter: 4)), .succeeded(3, [4]), .used(0, seen: 2),
                .used(1, seen: 2), .refused(0, seen: 2, at: 80, fail(.refusals(2))),
            ],
            generation: 2
        ),
        Row(
            rule: "a request without a window fails after five refusals",
            window: nil,
            steps: fiveRefusals,
            generation: 5
        ),
        Row(
            rule:
                "a credential that was refreshed for others, or was replaced, does not count",
            window: RefreshWindow(interval: 1, maximumAttempts: 1),
            steps: [
                .refused(0, .refresh(id: 1, waiter: 2)), .succeeded(1, [2]),
                .refused(1, isCurrent: false, seen: 1, .proceed), .used(0, seen: 1), .used(1, seen: 1),
                .refused(1, seen: 1, at: 1, .refresh(id: 3, waiter: 4)), .succeeded(3, [4]),
                .requested(seen: 2, at: 2, .refresh(id: 5, waiter: 6)), .succeeded(5, [6]),
                .refused(1, isCurrent: false, seen: 3, .proceed), .used(2, seen: 3),
                .refused(1, seen: 3, at: 3, .refresh(id: 7, waiter: 8)),
            ],
            generation: 3
        ),
        Row(
            rule: "a request is repeated at most twenty times",
            window: nil,
            steps: [Step.credentialSet([])]
                + Array(repeating: Step.refused(0, isCurrent: false, seen: 0, .proceed), count: 20)
                + [Step.refused(0, isCurrent: false, seen: 0, .leave)],
            generation: 1
        ),
        Row(
            rule: "the window counts failed refreshes, too",
            steps: [
                .requested(at: 0, .refresh(id: 1, waiter: 2)), .failed(1, [2]),
                .requested(at: 10, .refresh(id: 3, waiter: 4)), .failed(3, [4]),
                .requested(at: 10, fail(.window(RefreshWindow(interval: 30, maximumAttempts: 2)))),
                .requested(at: 29, .fail(.excessiveRefresh)),
                .requested(at: 30, .refresh(id: 5, waiter: 6)), .failed(5, [6]),
                .requested(at: 39, .fail(.excessiveRefresh)), .refused(0, at: 40, .refresh(id: 7, waiter: 8)),
            ],
            generation: 0
        ),
        Row(
            rule: "a credential that is set resets the window",
            window: RefreshWindow(interval: 30, maximumAttempts: 1),
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .failed(1, [2]), .requested(.fail(.excessiveRefresh)),
                .credentialSet([]), .requested(seen: 1, .refresh(id: 3, waiter: 4)),
            ],
            generation: 1
        ),
        Row(
            rule: "a window without attempts allows no refresh",
            window: RefreshWindow(interval: 30, maximumAttempts: -1),
            steps: [.requested(.fail(.excessiveRefresh)), .refused(0, .fail(.excessiveRefresh))],
            generation: 0
        ),
        Row(
            rule: "a window without a duration does not limit refreshes",
            window: RefreshWindow(interval: -.nan, maximumAttempts: 1),
            steps: [
                .requested(.refresh(id: 1, waiter: 2)), .failed(1, [2]), .requested(.refresh(id: 3, waiter: 4)),
            ],
            generation: 0
        ),
    ]

    @Test("each event causes the correct action of the refresh state", arguments: table)
    func steps(row: Row) {
        var state = RefreshState(window: row.window)
        for (index, step) in row.steps.enumerated() {
            switch step {
            case .requested(let requiresRefresh, let seen, let time, let action):
                let found = state.handleRequest(requiresRefresh: requiresRefresh, generation: seen, at: .seconds(time))
                Self.expect(found, action, index)
            case .refused(let request, let isCurrent, let seen, let time, let action):
                let id = Self.requests[request]
                let found = state.handleRejection(of: id, isCurrent: isCurrent, generation: seen, at: .seconds(time))
                Self.expect(found, action, index)
            case .used(let request, let seen): state.recordUse(by: Self.requests[request], generation: seen)
            case .ended(let request): state.finishRequest(Self.requests[request])
            case .left(let waiter): state.removeWaiter(waiter)
            case .succeeded(let id, let waiters): #expect(state.finishRefresh(id) == waiters, "step \(index)")
            case .failed(let id, let waiters): #expect(state.failRefresh(id) == waiters, "step \(index)")
            case .credentialSet(let waiters): #expect(state.replaceCredential() == waiters, "step \(index)")
            }
        }
        #expect(state.generation == row.generation)
    }

    @Test("requests whose end is not reported are removed from the refresh state, the oldest first")
    func bounded() {
        var repeated = RepeatedRequests(capacity: 100)
        let ids = (0..<1_000).map { _ in UUID() }
        for (number, id) in ids.enumerated() {
            repeated[id] = RepeatedRequests.Entry(repeats: number)
            #expect(repeated.count <= 200)
            for recent in max(0, number - 99)...number { #expect(repeated[ids[recent]]?.repeats == recent) }
        }
        #expect(repeated[ids[0]] == nil)
        let last = ids[999]
        repeated[last]?.refusals = 1
        #expect(repeated[last] == RepeatedRequests.Entry(repeats: 999, refusals: 1))
        repeated[last] = nil
        #expect(repeated[last] == nil)
        repeated.removeAll()
        #expect(repeated.count == 0)
    }
}
