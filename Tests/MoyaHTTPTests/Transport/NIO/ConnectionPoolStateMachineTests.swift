#if NIO && !canImport(Darwin)
    import Testing

    @testable import MoyaHTTP

    @Suite("Which connections there are, and what waits for one")
    struct ConnectionPoolStateMachineTests {
        private func http1(limit: Int = 2, idleTimeout: Duration = .seconds(60)) -> ConnectionPoolStateMachine {
            ConnectionPoolStateMachine(limit: limit, maySpeakHTTP2: false, idleTimeout: idleTimeout)
        }

        private func either(limit: Int = 2) -> ConnectionPoolStateMachine {
            ConnectionPoolStateMachine(limit: limit, maySpeakHTTP2: true, idleTimeout: .seconds(60))
        }

        /// Lets so many requests come, and says what becomes of each.
        private func arrive(
            _ count: Int = 1,
            isResent: Bool = false,
            at state: inout ConnectionPoolStateMachine,
            _ now: Duration = .zero
        ) -> [ConnectionPoolStateMachine.EnqueueResult] {
            (0..<count).map { _ in state.enqueue(isResent: isResent, at: now).1 }
        }

        // MARK: HTTP/1.1

        @Test("each request gets a connection, up to the limit; those beyond it wait")
        func limit() {
            var state = http1()
            #expect(arrive(4, at: &state) == [.wait([.open(1)]), .wait([.open(2)]), .wait([]), .wait([])])
            #expect(state.waitingCount == 4)
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(2, on: 1)])
            #expect(state.freed(1, at: .zero) == [.run(3, on: 1)])
            #expect(state.freed(2, at: .zero) == [.run(4, on: 2)])
            #expect(state.freed(2, at: .zero) == [])
            #expect(state.freed(1, at: .zero) == [])
            #expect(state.waitingCount == 0)
        }

        @Test("the connection used last is used next")
        func lastFirst() {
            var state = http1()
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            _ = state.connectedHTTP1(2, at: .zero)
            #expect(state.freed(2, at: .seconds(1)) == [])
            #expect(state.freed(1, at: .seconds(2)) == [])
            #expect(arrive(3, at: &state) == [.run(on: 1), .run(on: 2), .wait([])])
        }

        @Test("a connection that nobody waits for any more stays for the next request")
        func lateConnection() {
            var state = http1()
            _ = arrive(2, at: &state)
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
            #expect(state.freed(1, at: .zero) == [.run(2, on: 1)])
            #expect(state.connectedHTTP1(2, at: .zero) == [])
            #expect(arrive(at: &state) == [.run(on: 2)])
        }

        @Test("an attempt that fails fails those who waited before it began, if there is nothing else to wait for")
        func failedAttempt() {
            var state = http1(limit: 1)
            _ = arrive(3, at: &state)
            #expect(state.failed(1, at: .zero) == [.fail(1), .open(2)], "the others came after it began")
            #expect(state.failed(1, at: .zero) == [], "twice")
            #expect(state.failed(2, at: .zero) == [.fail(2), .fail(3)])
            #expect(state.waitingCount == 0)
        }

        @Test("an attempt that fails fails nobody while there is another attempt or a connection")
        func failedAttemptOfSeveral() {
            var state = http1(limit: 2)
            _ = arrive(3, at: &state)
            #expect(state.failed(1, at: .zero) == [.open(3)])
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
            #expect(state.failed(3, at: .zero) == [.open(4)])
            #expect(state.failed(4, at: .zero) == [], "the next one has to wait")
            #expect(state.freed(2, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(2, at: .zero) == [.run(3, on: 2)])
        }

        @Test("attempts that fail in a row are begun ever later, up to a second, until one succeeds")
        func backoff() {
            var state = either()
            var now = Duration.zero
            var pauses: [Duration] = []
            _ = arrive(at: &state)
            for id in 1...10 {
                _ = state.failed(id, at: now)
                let arrival = state.enqueue(at: now).1
                if arrival == .wait([]) {
                    let next = state.nextDeadline ?? .zero
                    pauses.append(next - now)
                    #expect(state.expire(at: next - .milliseconds(1)) == [])
                    now = next
                    #expect(state.expire(at: now) == [.open(id + 1)])
                } else {
                    #expect(arrival == .wait([.open(id + 1)]))
                    pauses.append(.zero)
                }
            }
            let expected = [0, 50, 100, 200, 400, 800, 1000, 1000, 1000, 1000].map { Duration.milliseconds($0) }
            #expect(pauses == expected)
            _ = state.connectedHTTP1(11, at: now)
            #expect(state.closed(11, at: now) == [])
            #expect(arrive(at: &state, now) == [.wait([.open(12)])])
        }

        @Test("a connection that closes makes room for another one, in use or not")
        func closed() {
            var state = http1(limit: 1)
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            #expect(state.closed(1, at: .zero) == [.open(2)])
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(2, at: .zero) == [])
            #expect(state.closed(2, at: .zero) == [])
            #expect(arrive(at: &state) == [.wait([.open(3)])])
        }

        @Test("a request that gives up takes an attempt with it that nobody waits for, and the oldest one")
        func cancelRequest() {
            var state = http1(limit: 2)
            _ = arrive(3, at: &state)
            #expect(state.cancelRequest(2, timedOut: false, at: .zero) == [])
            #expect(state.cancelRequest(2, timedOut: false, at: .zero) == [], "twice")
            #expect(state.cancelRequest(3, timedOut: false, at: .zero) == [.close(1)])
            #expect(state.connectedHTTP1(1, at: .zero) == [.close(1)], "it was given up")
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
            #expect(state.cancelRequest(1, timedOut: false, at: .zero) == [], "it runs")
            #expect(arrive(at: &state) == [.wait([.open(3)])], "the room of what was given up is free")
        }

        @Test("an attempt that a request has waited for until its time was over is given up for another one")
        func hangingAttempt() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.cancelRequest(1, timedOut: true, at: .zero) == [.close(1), .open(2)])
            #expect(state.cancelRequest(2, timedOut: false, at: .zero) == [], "one still waits for it")
            #expect(state.connectedHTTP2(2, streams: 10, at: .zero) == [.run(3, on: 2)])
        }

        @Test("what is idle for too long is closed, and no sooner")
        func expire() {
            var state = http1(limit: 3, idleTimeout: .seconds(10))
            _ = arrive(3, at: &state)
            for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
            #expect(state.nextDeadline == nil)
            _ = state.freed(1, at: .seconds(1))
            _ = state.freed(2, at: .seconds(5))
            #expect(state.nextDeadline == .seconds(11))
            #expect(state.expire(at: .seconds(10)) == [])
            #expect(state.expire(at: .seconds(11)) == [.close(1)])
            #expect(state.nextDeadline == .seconds(15))
            #expect(state.expire(at: .seconds(100)) == [.close(2)])
            #expect(state.nextDeadline == nil)
            #expect(arrive(2, at: &state) == [.wait([.open(4)]), .wait([.open(5)])], "one is in use")
        }

        @Test("any number of requests that give up leave the others in their order")
        func order() {
            var state = http1(limit: 1)
            let requests = (0..<1000).map { _ in state.enqueue(at: .zero).0 }
            for request in requests where request % 3 != 0 && request != 1 {
                #expect(state.cancelRequest(request, timedOut: false, at: .zero) == [])
            }
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
            var ran: [ConnectionPoolStateMachine.RequestID] = []
            while case .run(let request, _)? = state.freed(1, at: .zero).first { ran.append(request) }
            #expect(ran == requests.filter { $0 % 3 == 0 })
        }

        @Test("what is sent again goes first, and over HTTP/1.1 on a new connection")
        func resent() {
            var state = http1(limit: 2)
            _ = arrive(2, at: &state)
            for id in 1...2 { _ = state.connectedHTTP1(id, at: .zero) }
            #expect(state.freed(1, at: .zero) == [])
            // An old one makes room.
            #expect(arrive(isResent: true, at: &state) == [.wait([.close(1), .open(3)])])
            #expect(arrive(at: &state) == [.wait([])])
            #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)])
            // All are in use: the next one that is free makes room.
            #expect(arrive(isResent: true, at: &state) == [.wait([])])
            #expect(state.freed(2, at: .zero) == [.close(2), .open(4)])
            #expect(state.freed(3, at: .zero) == [.run(4, on: 3)])
            #expect(state.connectedHTTP1(4, at: .zero) == [.run(5, on: 4)])
        }

        @Test("connections that may be dead are closed, those in use are not")
        func closeIdleConnections() {
            var state = http1(limit: 3)
            _ = arrive(3, at: &state)
            for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
            _ = state.freed(2, at: .zero)
            _ = state.freed(3, at: .zero)
            #expect(state.closeIdleConnections() == [.close(2), .close(3)])
            #expect(arrive(at: &state) == [.wait([.open(4)])])
            #expect(state.freed(1, at: .zero) == [.run(4, on: 1)])
        }

        // MARK: HTTP/2

        @Test("one connection is made to learn which version it is; with HTTP/2, all requests go over it")
        func shared() {
            var state = either()
            #expect(arrive(3, at: &state) == [.wait([.open(1)]), .wait([]), .wait([])])
            #expect(
                state.connectedHTTP2(1, streams: 100, at: .zero) == [.run(1, on: 1), .run(2, on: 1), .run(3, on: 1)]
            )
            #expect(arrive(2, at: &state) == [.run(on: 1), .run(on: 1)])
            for _ in 0..<5 { #expect(state.streamEnded(on: 1, at: .seconds(5)) == []) }
            #expect(state.nextDeadline == .seconds(65))
            #expect(state.expire(at: .seconds(64)) == [])
            #expect(state.expire(at: .seconds(65)) == [.close(1)])
            #expect(
                arrive(2, at: &state) == [.wait([.open(2)]), .wait([])],
                "it is still HTTP/2 that is expected"
            )
        }

        @Test("requests beyond the server's limit wait, and what is sent again goes before them")
        func streamLimit() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
            #expect(state.allowsStreams(2, on: 1) == [.run(2, on: 1)])
            #expect(arrive(isResent: true, at: &state) == [.wait([])])
            #expect(state.streamEnded(on: 1, at: .zero) == [.run(4, on: 1)])
            #expect(state.cancelRequest(3, timedOut: true, at: .zero) == [])
            #expect(state.streamEnded(on: 1, at: .zero) == [])
            #expect(state.allowsStreams(0, on: 1) == [])
            #expect(arrive(2, at: &state) == [.wait([]), .wait([])])
            #expect(state.allowsStreams(.max, on: 1) == [.run(5, on: 1), .run(6, on: 1)])
        }

        @Test("with HTTP/1.1 it is as if nothing else had been possible")
        func notShared() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1), .open(2)])
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(1, at: .zero) == [.run(3, on: 1)])
        }

        @Test("a server that goes away keeps what runs, gets nothing new, and is closed with its last request")
        func goingAway() {
            var state = either()
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP2(1, streams: 2, at: .zero)
            #expect(arrive(at: &state) == [.wait([])])
            #expect(state.goingAway(1, at: .zero) == [.open(2)], "for the one that waits")
            #expect(state.streamEnded(on: 1, at: .zero) == [])
            #expect(state.streamEnded(on: 1, at: .zero) == [.close(1)])
            #expect(state.connectedHTTP2(2, streams: 2, at: .zero) == [.run(3, on: 2)])
            #expect(state.streamEnded(on: 2, at: .zero) == [])
            #expect(state.goingAway(2, at: .zero) == [.close(2)])
            #expect(state.goingAway(2, at: .zero) == [], "it is gone")
        }

        @Test("nothing is sent to a server while it is in doubt whether it answers")
        func unresponsive() {
            var state = either()
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP2(1, streams: 9, at: .zero)
            #expect(state.isResponsive(false, 1, at: .zero) == [])
            #expect(arrive(at: &state) == [.wait([.open(2)])])
            #expect(state.isResponsive(true, 1, at: .zero) == [.run(3, on: 1)])
            #expect(state.connectedHTTP2(2, streams: 9, at: .zero) == [])
            #expect(state.isResponsive(false, 1, at: .zero) == [])
            #expect(arrive(at: &state) == [.run(on: 2)])
            #expect(state.closed(1, at: .zero) == [])
        }

        @Test("a server that changes its mind is followed")
        func otherVersion() {
            var state = either(limit: 3)
            _ = arrive(2, at: &state)
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1), .open(2)])
            #expect(arrive(2, at: &state) == [.wait([.open(3)]), .wait([])])
            #expect(
                state.connectedHTTP2(2, streams: 9, at: .zero)
                    == [.run(2, on: 2), .run(3, on: 2), .run(4, on: 2), .close(3)]
            )
            #expect(state.freed(1, at: .zero) == [])
            #expect(state.closed(2, at: .zero) == [])
            #expect(arrive(2, at: &state) == [.run(on: 1), .wait([.open(4)])])
            #expect(state.connectedHTTP1(4, at: .zero) == [.run(6, on: 4)])
        }
    }
#endif
