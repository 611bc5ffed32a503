import Dispatch
import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A lock lets one thread at a time change its value, and the thread sanitizer finds no race in that")
struct LockedTests {
    private struct Stop: Error {}

    private struct State: Sendable {
        var count = 0
        var texts: [String] = []

        mutating func record(_ text: String) {
            count += 1
            texts.append(text)
            if texts.count == 100 { texts = [] }
        }
    }

    /// The two kinds of locks in one object.
    private final class Owner: Sendable {
        let inline = InlineLocked(State())
        let shared = Locked(State())

        func record(_ text: String) {
            inline.withLock { $0.record(text) }
            shared.withLock { $0.record(text) }
        }
    }

    /// Runs a function on several threads at the same time, and waits for its end.
    private func runOnThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for number in 0..<count {
                group.enter()
                Thread {
                    body(number)
                    group.leave()
                }
                .start()
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
    }

    @Test("no change is lost if eight threads change the value at the same time")
    func contention() async {
        let owner = Owner()
        await runOnThreads(8) { number in
            for _ in 0..<2_000 { owner.record("\(number)") }
        }
        #expect(owner.inline.withLock { $0.count } == 16_000)
        #expect(owner.shared.withLock { $0.count } == 16_000)
    }

    @Test("an error of the closure releases the lock and keeps the changes before it")
    func error() {
        let owner = Owner()
        #expect(throws: Stop.self) {
            try owner.inline.withLock { state in
                state.record("inline")
                throw Stop()
            }
        }
        #expect(throws: Stop.self) {
            try owner.shared.withLock { state in
                state.record("shared")
                throw Stop()
            }
        }
        #expect(owner.inline.withLock { $0.texts } == ["inline"])
        #expect(owner.shared.withLock { $0.texts } == ["shared"])
    }

    @Test("copies share their value")
    func copies() {
        let first = Locked(1)
        let second = first
        second.withLock { $0 = 2 }
        #expect(first.withLock { $0 } == 2)
    }

    @Test("the last thread that has used an object releases it")
    func release() async {
        for round in 0..<50 {
            let owners = Locked((0..<8).map { _ in Owner() })
            await runOnThreads(4) { number in
                while let owner = owners.withLock({ $0.last }) {
                    owner.record("\(round) \(number)")
                    let unused = owners.withLock { $0.popLast() }
                    unused?.record("\(number)")
                }
            }
            #expect(owners.withLock { $0.isEmpty })
        }
    }
}
