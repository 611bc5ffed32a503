#if AsyncHTTPClient && !canImport(Darwin)
    import Testing

    @testable import MoyaHTTP

    @Suite("Which connections there are, and what waits for one")
    struct PoolStateTests {
        private func http1(limit: Int = 2, idleTimeout: Duration = .seconds(60)) -> PoolState {
            PoolState(limit: limit, maySpeakHTTP2: false, idleTimeout: idleTimeout)
        }

        private func either(limit: Int = 2) -> PoolState {
            PoolState(limit: limit, maySpeakHTTP2: true, idleTimeout: .seconds(60))
        }

        /// Lets so many requests come, and says what becomes of each.
        private func arrive(_ count: Int, at state: inout PoolState) -> [PoolState.Arrival] {
            (0..<count).map { _ in state.arrived().1 }
        }

        // MARK: HTTP/1.1

        @Test("each request gets a connection, up to the limit; those beyond it wait")
        func limit() {
            var state = http1()
            #expect(arrive(4, at: &state) == [.open(1), .open(2), .wait, .wait])
            #expect(state.waitingCount == 4)
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [.run(1, on: 2)])
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.run(2, on: 1)])
            #expect(state.freed(1, at: .zero) == .run(3))
            #expect(state.freed(2, at: .zero) == .run(4))
            #expect(state.freed(2, at: .zero) == .idle)
            #expect(state.freed(1, at: .zero) == .idle)
            #expect(state.waitingCount == 0)
        }

        @Test("the connection used last is used next")
        func lastFirst() {
            var state = http1()
            _ = arrive(2, at: &state)
            _ = state.connected(1, isHTTP2: false, at: .zero)
            _ = state.connected(2, isHTTP2: false, at: .zero)
            #expect(state.freed(2, at: .seconds(1)) == .idle)
            #expect(state.freed(1, at: .seconds(2)) == .idle)
            #expect(arrive(3, at: &state) == [.run(on: 1), .run(on: 2), .wait])
        }

        @Test("a connection that nobody waits for any more stays for the next request")
        func lateConnection() {
            var state = http1()
            _ = arrive(2, at: &state)
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.run(1, on: 1)])
            #expect(state.freed(1, at: .zero) == .run(2))
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [])
            #expect(arrive(1, at: &state) == [.run(on: 2)])
        }

        @Test("an attempt that fails takes one request with it, and the next one gets one of its own")
        func failedAttempt() {
            var state = http1(limit: 1)
            _ = arrive(3, at: &state)
            #expect(state.failed(1) == [.fail(1), .open(2)])
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [.run(2, on: 2)])
            #expect(state.failed(1) == [])
            #expect(state.closed(2) == [.open(3)])
            #expect(state.failed(3) == [.fail(3)])
            #expect(state.waitingCount == 0)
        }

        @Test("a connection that closes makes room for another one, in use or not")
        func closed() {
            var state = http1(limit: 1)
            _ = arrive(2, at: &state)
            _ = state.connected(1, isHTTP2: false, at: .zero)
            #expect(state.closed(1) == [.open(2)])
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(2, at: .zero) == .idle)
            #expect(state.closed(2) == [])
            #expect(arrive(1, at: &state) == [.open(3)])
        }

        @Test("a request that gives up takes an attempt with it that nobody waits for, and the oldest one")
        func gaveUp() {
            var state = http1(limit: 2)
            _ = arrive(3, at: &state)
            #expect(state.gaveUp(2) == nil)
            #expect(state.gaveUp(2) == nil, "twice")
            #expect(state.gaveUp(3) == .close(1))
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.close(1)], "it was given up")
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [.run(1, on: 2)])
            #expect(state.gaveUp(1) == nil, "it runs")
            #expect(arrive(1, at: &state) == [.open(3)], "the room of what was given up is free")
        }

        @Test("what is idle for too long is closed, and no sooner")
        func expire() {
            var state = http1(limit: 3, idleTimeout: .seconds(10))
            _ = arrive(3, at: &state)
            for id in 1...3 { _ = state.connected(id, isHTTP2: false, at: .zero) }
            #expect(!state.hasIdle)
            _ = state.freed(1, at: .seconds(1))
            _ = state.freed(2, at: .seconds(5))
            #expect(state.hasIdle)
            var (close, next) = state.expire(at: .seconds(10))
            #expect(close == [] && next == .seconds(1))
            (close, next) = state.expire(at: .seconds(11))
            #expect(close == [1] && next == .seconds(4))
            (close, next) = state.expire(at: .seconds(100))
            #expect(close == [2] && next == nil)
            #expect(arrive(2, at: &state) == [.open(4), .open(5)], "one is in use")
        }

        @Test("any number of requests that give up leave the others in their order")
        func order() {
            var state = http1(limit: 1)
            let requests = (0..<1000).map { _ in state.arrived().0 }
            for request in requests where request % 3 != 0 && request != 1 { #expect(state.gaveUp(request) == nil) }
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.run(1, on: 1)])
            var ran: [PoolState.RequestID] = []
            while case .run(let request) = state.freed(1, at: .zero) { ran.append(request) }
            #expect(ran == requests.filter { $0 % 3 == 0 })
        }

        // MARK: HTTP/2

        @Test("one connection is made to learn which version it is; with HTTP/2, all requests go over it")
        func shared() {
            var state = either()
            #expect(arrive(3, at: &state) == [.open(1), .wait, .wait])
            #expect(
                state.connected(1, isHTTP2: true, at: .zero) == [.run(1, on: 1), .run(2, on: 1), .run(3, on: 1)]
            )
            #expect(arrive(2, at: &state) == [.run(on: 1), .run(on: 1)])
            for _ in 0..<5 { #expect(state.freed(1, at: .seconds(5)) == .idle) }
            #expect(state.hasIdle)
            let (early, late) = (state.expire(at: .seconds(64)), state.expire(at: .seconds(65)))
            #expect(early.close == [] && late.close == [1])
            #expect(arrive(2, at: &state) == [.open(2), .wait], "it is still HTTP/2 that is expected")
        }

        @Test("with HTTP/1.1 it is as if nothing else had been possible")
        func notShared() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.run(1, on: 1), .open(2)])
            #expect(state.connected(2, isHTTP2: false, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(1, at: .zero) == .run(3))
        }

        @Test("an attempt for all fails all who waited for it; who came later gets another one")
        func failedForAll() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.failed(1) == [.fail(1), .open(2)], "the others came after it began")
            _ = arrive(1, at: &state)
            #expect(state.failed(2) == [.fail(2), .fail(3), .open(3)])
            #expect(state.failed(3) == [.fail(4)])
        }

        @Test("a server that goes away keeps what runs, gets nothing new, and is closed with its last request")
        func goesAway() {
            var state = either()
            _ = arrive(2, at: &state)
            _ = state.connected(1, isHTTP2: true, at: .zero)
            #expect(state.goesAway(1) == [])
            #expect(arrive(1, at: &state) == [.open(2)])
            #expect(state.freed(1, at: .zero) == .idle)
            #expect(state.freed(1, at: .zero) == .close)
            #expect(state.connected(2, isHTTP2: true, at: .zero) == [.run(3, on: 2)])
            #expect(state.freed(2, at: .zero) == .idle)
            #expect(state.goesAway(2) == [.close(2)])
            #expect(state.goesAway(2) == [], "it is gone")
        }

        @Test("a server that changes its mind is followed")
        func otherVersion() {
            var state = either(limit: 3)
            _ = arrive(2, at: &state)
            #expect(state.connected(1, isHTTP2: false, at: .zero) == [.run(1, on: 1), .open(2)])
            #expect(arrive(2, at: &state) == [.open(3), .wait])
            #expect(
                state.connected(2, isHTTP2: true, at: .zero)
                    == [.run(2, on: 2), .run(3, on: 2), .run(4, on: 2), .close(3)]
            )
            #expect(state.freed(1, at: .zero) == .idle)
            #expect(state.closed(2) == [])
            #expect(arrive(2, at: &state) == [.run(on: 1), .open(4)])
            #expect(state.connected(4, isHTTP2: false, at: .zero) == [.run(6, on: 4)])
        }
    }

    @Suite("Whether a channel can have another exchange")
    struct NIOExchangeStateTests {
        enum Step: Sendable { case begin, sentEnd, keepAlive, lastOne, receivedEnd, close }

        struct Row: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let steps: [Step]
            let end: Bool?
        }

        static let rows = [
            Row(testDescription: "whole", steps: [.begin, .sentEnd, .keepAlive, .receivedEnd], end: true),
            Row(testDescription: "without an end", steps: [.begin, .sentEnd, .keepAlive], end: nil),
            Row(testDescription: "nothing received", steps: [.begin, .sentEnd], end: nil),
            Row(testDescription: "nothing asked", steps: [.keepAlive, .receivedEnd], end: nil),
            // RFC 9112, section 9.3.
            Row(testDescription: "said to close", steps: [.begin, .sentEnd, .lastOne, .receivedEnd], end: false),
            Row(testDescription: "answered early", steps: [.begin, .keepAlive, .receivedEnd], end: false),
            Row(
                testDescription: "answered before the end was sent",
                steps: [.begin, .keepAlive, .receivedEnd, .sentEnd],
                end: true
            ),
            Row(testDescription: "closed", steps: [.begin, .sentEnd, .keepAlive, .receivedEnd, .close], end: nil),
        ]

        @Test("as the messages say (RFC 9112, section 9.3)", arguments: rows)
        func end(row: Row) {
            var state = NIOExchangeState()
            for step in row.steps {
                switch step {
                case .begin: #expect(state.begin() == true)
                case .sentEnd: state.sentEnd()
                case .keepAlive: state.receivedHead(isKeepAlive: true)
                case .lastOne: state.receivedHead(isKeepAlive: false)
                case .receivedEnd: state.receivedEnd()
                case .close: #expect(state.close() == true)
                }
            }
            #expect(state.end() == row.end)
        }

        @Test("one exchange at a time, and none on what is closed")
        func begin() {
            var state = NIOExchangeState()
            #expect(state.begin() == true)
            #expect(state.begin() == false)
            state.sentEnd()
            state.receivedHead(isKeepAlive: true)
            state.receivedEnd()
            #expect(state.end() == true)
            #expect(state.end() == nil, "once")
            #expect(state.begin() == true)
            #expect(state.close() == true)
            #expect(state.close() == false, "once")
            #expect(state.begin() == false)
        }
    }
#endif
