import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A lazy transport is created on demand")
struct LazyTransportTests {
    private final class Named: HTTPTransport {
        let number: Int
        private let released: Locked<Int>

        init(_ number: Int, released: Locked<Int> = Locked(0)) { (self.number, self.released) = (number, released) }

        deinit { released.withLock { $0 += 1 } }

        func send(_ request: TransportRequest) async throws -> TransportResponse { TransportResponse(status: 200) }

        func shutdown() async {}
    }

    @Test("a lazy transport is created outside the lock, so that its creation may use the owner")
    func outsideOfLock() {
        let owner = Locked<SessionTransport?>(nil)
        let found = Locked<[Bool]>([])
        let transport = SessionTransport(creating: {
            let isCreated = owner.withLock { $0 }?.current != nil
            found.withLock { $0.append(isCreated) }
            return Named(1)
        })
        owner.withLock { $0 = transport }
        #expect(transport.current == nil)
        #expect((transport.value as? Named)?.number == 1)
        #expect(transport.value as? Named === transport.current as? Named)
        #expect(found.withLock { $0 } == [false])
        owner.withLock { $0 = nil }
    }

    @Test("concurrent users of a lazy transport get one transport, and the others are released")
    func race() async {
        let (count, released) = (Locked(0), Locked(0))
        let transport = SessionTransport(creating: {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Named(number, released: released)
        })
        let numbers = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<64 { group.addTask { (transport.value as? Named)?.number } }
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(numbers.count == 1)
        #expect(count.withLock { $0 } - released.withLock { $0 } == 1)
    }
}
