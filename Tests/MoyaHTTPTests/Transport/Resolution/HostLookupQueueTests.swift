import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("A queue limits blocking host lookups")
struct HostLookupQueueTests {
    private func queue() -> HostLookupQueue {
        HostLookupQueue(limit: 2, maximumThreads: 3, slowTime: .seconds(1))
    }

    @Test("host lookups run up to the limit, and the other lookups follow in order")
    func limit() {
        var queue = queue()
        #expect(queue.add(1, for: "a", at: .zero) == ["a"])
        #expect(queue.add(2, for: "b", at: .zero) == ["b"])
        #expect(queue.add(3, for: "c", at: .zero) == [])
        #expect(queue.add(4, for: "d", at: .zero) == [])
        #expect(queue.finish("b", at: .zero) == ([2], ["c"]))
        #expect(queue.finish("b", at: .zero) == ([], []), "twice")
        #expect(queue.finish("a", at: .zero) == ([1], ["d"]))
        #expect(queue.runningCount == 2)
    }

    @Test("equal host names share a lookup, even a lookup that every caller has abandoned")
    func shared() {
        var queue = queue()
        #expect(queue.add(1, for: "a", at: .zero) == ["a"])
        #expect(queue.add(2, for: "a", at: .zero) == [])
        #expect(queue.remove(1, of: "a", at: .zero) == [])
        #expect(queue.remove(2, of: "a", at: .zero) == [])
        #expect(queue.add(3, for: "a", at: .zero) == [])
        #expect(queue.finish("a", at: .zero) == ([3], []))
        #expect(queue.add(4, for: "a", at: .zero) == ["a"], "the next one is new")
    }

    @Test("a host lookup without callers makes room, up to the maximum number of threads")
    func givenUp() {
        var queue = queue()
        for (waiter, host) in ["a", "b", "c", "d"].enumerated() { _ = queue.add(waiter, for: host, at: .zero) }
        #expect(queue.remove(0, of: "a", at: .zero) == ["c"])
        #expect(queue.remove(0, of: "a", at: .zero) == [], "twice")
        #expect(queue.remove(1, of: "b", at: .zero) == [], "three threads run")
        #expect(queue.nextDeadline == nil)
        #expect(queue.finish("a", at: .zero) == ([], ["d"]))
    }

    @Test("a slow host lookup makes room for another lookup, up to the maximum number of threads")
    func slow() {
        var queue = queue()
        _ = queue.add(1, for: "a", at: .zero)
        _ = queue.add(2, for: "b", at: .milliseconds(500))
        #expect(queue.nextDeadline == nil, "nothing waits")
        _ = queue.add(3, for: "c", at: .milliseconds(600))
        #expect(queue.nextDeadline == .seconds(1))
        #expect(queue.deadlinePassed(at: .milliseconds(999)) == [])
        #expect(queue.deadlinePassed(at: .seconds(1)) == ["c"])
        _ = queue.add(4, for: "d", at: .seconds(1))
        #expect(queue.nextDeadline == nil, "three threads run")
        #expect(queue.deadlinePassed(at: .seconds(100)) == [])
        #expect(queue.finish("c", at: .seconds(100)) == ([3], ["d"]))
    }

    @Test("the next deadline of a host lookup is in the future, so that a timer does not fire repeatedly")
    func deadline() {
        var queue = HostLookupQueue(limit: 1, maximumThreads: 3, slowTime: .seconds(1))
        _ = queue.add(1, for: "a", at: .zero)
        _ = queue.add(2, for: "b", at: .zero)
        #expect(queue.deadlinePassed(at: .seconds(1)) == ["b"])
        _ = queue.add(3, for: "c", at: .seconds(1))
        #expect(queue.nextDeadline == .seconds(2))
    }

    @Test("a host name that is abandoned before it gets a thread is not looked up")
    func removedFromQueue() {
        var queue = HostLookupQueue(limit: 1, maximumThreads: 9, slowTime: .seconds(1))
        for waiter in 0..<1000 { _ = queue.add(waiter, for: "\(waiter)", at: .zero) }
        for waiter in 1..<1000 where waiter % 3 != 0 {
            #expect(queue.remove(waiter, of: "\(waiter)", at: .zero) == [])
        }
        var order: [String] = []
        var host: String? = "0"
        while let current = host {
            order.append(current)
            host = queue.finish(current, at: .zero).starting.first
        }
        #expect(order == (0..<1000).filter { $0 % 3 == 0 }.map { "\($0)" })
    }
}

@Suite("The system's resolver looks up host names", .timeLimit(.minutes(5)))
struct SystemHostResolverTests {
    /// Blocks lookups until their names are released.
    private final class Blocking: Sendable {
        let began = Recorder<String>()
        private let released = Locked<Set<String>>([])

        func release(_ host: String) { _ = released.withLock { $0.insert(host) } }

        func lookUp(_ host: String) -> ResolvedHost {
            began.add(host)
            while host.hasPrefix("stuck"), !released.withLock({ $0.contains(host) }) { usleep(1_000) }
            return ResolvedHost(addresses: [host])
        }

        func waitUntil(_ count: Int) async throws {
            while began.values.count < count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test("cancelled callers of a host lookup return immediately, and their threads are replaced")
    func cancellation() async throws {
        let blocking = Blocking()
        let lookups = SystemLookups(limit: 2, maximumThreads: 4) { blocking.lookUp($0) }
        let stuck = ["stuck1", "stuck2"].map { host in Task { try await lookups.resolve(host) } }
        try await blocking.waitUntil(2)
        for task in stuck { task.cancel() }
        for task in stuck { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(lookups.runningCount == 2)
        for host in ["a", "b", "c"] { #expect(try await lookups.resolve(host).addresses == [host]) }
        // A caller shares the remaining lookup.
        let late = Task { try await lookups.resolve("stuck1") }
        blocking.release("stuck1")
        #expect(try await late.value.addresses == ["stuck1"])
        #expect(blocking.began.values.filter { $0 == "stuck1" }.count <= 2, "once if it was still running")
        blocking.release("stuck2")
    }

    @Test("slow host lookups make room for other lookups without a cancelled caller")
    func slow() async throws {
        let blocking = Blocking()
        let lookups = SystemLookups(limit: 1, maximumThreads: 3) { blocking.lookUp($0) }
        let stuck = ["stuck1", "stuck2"].map { host in Task { try await lookups.resolve(host) } }
        try await blocking.waitUntil(1)
        #expect(try await lookups.resolve("a").addresses == ["a"])
        for (task, host) in zip(stuck, ["stuck1", "stuck2"]) {
            blocking.release(host)
            #expect(try await task.value.addresses == [host])
        }
    }

    @Test("a cancelled task starts no host lookup")
    func cancelledBefore() async throws {
        let blocking = Blocking()
        let lookups = SystemLookups(limit: 1, maximumThreads: 1) { blocking.lookUp($0) }
        for _ in 0..<20 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await lookups.resolve("a")
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(try await lookups.resolve("b").addresses == ["b"])
    }

    @Test("names of the hosts file and addresses are resolved, and unknown names are not found")
    func system() async throws {
        let resolver = SystemHostResolver()
        let local = try await resolver.resolve("localhost").addresses
        #expect(local.contains("127.0.0.1") || local.contains("::1"))
        #expect(Set(local).count == local.count)
        #expect(try await resolver.resolve("127.0.0.1") == ResolvedHost(addresses: ["127.0.0.1"]))
        for host in ["local\0host", ""] {
            let error = await #expect(throws: HostResolutionError.self) { try await resolver.resolve(host) }
            guard case .notFound(host)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
