#if NIO && !canImport(Darwin)
    import Testing

    @testable import MoyaHTTP

    @Suite("The connections of a pool, and the requests that wait for one")
    struct ConnectionPoolStateMachineTests {
        private func http1(limit: Int = 2, idleTimeout: Duration = .seconds(60)) -> ConnectionPoolStateMachine {
            ConnectionPoolStateMachine(limit: limit, protocols: .http1, idleTimeout: idleTimeout)
        }

        private func either(limit: Int = 2) -> ConnectionPoolStateMachine {
            ConnectionPoolStateMachine(limit: limit, protocols: .http2AndHTTP1, idleTimeout: .seconds(60))
        }

        /// Adds a number of requests and returns the result for each.
        private func arrive(
            _ count: Int = 1,
            isResent: Bool = false,
            at state: inout ConnectionPoolStateMachine,
            _ now: Duration = .zero
        ) -> [ConnectionPoolStateMachine.EnqueueResult] {
            (0..<count).map { _ in state.enqueue(isResent ? .resent(age: .zero) : .new, at: now).1 }
        }

        // MARK: HTTP/1.1

        @Test("each request gets a connection up to the limit, and the others wait")
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

        @Test("the most recently used connection is used next")
        func lastFirst() {
            var state = http1()
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            _ = state.connectedHTTP1(2, at: .zero)
            #expect(state.freed(2, at: .seconds(1)) == [])
            #expect(state.freed(1, at: .seconds(2)) == [])
            #expect(arrive(3, at: &state) == [.run(on: 1), .run(on: 2), .wait([])])
        }

        @Test("a connection for which no request waits any more stays for the next request")
        func lateConnection() {
            var state = http1()
            _ = arrive(2, at: &state)
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
            #expect(state.freed(1, at: .zero) == [.run(2, on: 1)])
            #expect(state.connectedHTTP1(2, at: .zero) == [])
            #expect(arrive(at: &state) == [.run(on: 2)])
        }

        @Test("a failed attempt fails the requests that arrived before it, if there is no other attempt or connection")
        func failedAttempt() {
            var state = http1(limit: 1)
            _ = arrive(3, at: &state)
            #expect(state.attemptFailed(1, at: .zero) == [.fail(1), .open(2)], "the others came after it began")
            #expect(state.attemptFailed(1, at: .zero) == [], "twice")
            #expect(state.attemptFailed(2, at: .zero) == [.fail(2), .fail(3)])
            #expect(state.waitingCount == 0)
        }

        @Test("a failed attempt fails no request while there is another attempt or a connection")
        func failedAttemptOfSeveral() {
            var state = http1(limit: 2)
            _ = arrive(3, at: &state)
            #expect(state.attemptFailed(1, at: .zero) == [.open(3)])
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
            #expect(state.attemptFailed(3, at: .zero) == [.open(4)])
            #expect(state.attemptFailed(4, at: .zero) == [], "the next one has to wait")
            #expect(state.freed(2, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(2, at: .zero) == [.run(3, on: 2)])
        }

        @Test("consecutive failures delay the next attempt by up to a second until one succeeds")
        func backoff() {
            var state = either()
            var now = Duration.zero
            var pauses: [Duration] = []
            _ = arrive(at: &state)
            for id in 1...10 {
                _ = state.attemptFailed(id, at: now)
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

        @Test("a closed connection makes room for another, in use or not")
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

        @Test("a cancelled request ends the oldest attempt if more attempts than requests remain")
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

        @Test("an attempt is replaced when a request that waited for it times out")
        func hangingAttempt() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.cancelRequest(1, timedOut: true, at: .zero) == [.close(1), .open(2)])
            #expect(state.cancelRequest(2, timedOut: false, at: .zero) == [], "one still waits for it")
            #expect(state.connectedHTTP2(2, streams: 10, at: .zero) == [.run(3, on: 2)])
        }

        @Test("a connection is closed at the end of its idle timeout, and no sooner")
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

        @Test("cancelled requests leave the others in their order")
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

        @Test("a request that is sent again goes first, and over HTTP/1.1 on a new connection")
        func resent() {
            var state = http1(limit: 2)
            _ = arrive(2, at: &state)
            for id in 1...2 { _ = state.connectedHTTP1(id, at: .zero) }
            #expect(state.freed(1, at: .zero) == [])
            // An old connection makes room.
            #expect(arrive(isResent: true, at: &state) == [.wait([.close(1), .open(3)])])
            #expect(arrive(at: &state) == [.wait([])])
            #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)])
            // All connections are in use, so the next free one makes room.
            #expect(arrive(isResent: true, at: &state) == [.wait([])])
            #expect(state.freed(2, at: .zero) == [.close(2), .open(4)])
            #expect(state.freed(3, at: .zero) == [.run(4, on: 3)])
            #expect(state.connectedHTTP1(4, at: .zero) == [.run(5, on: 4)])
        }

        @Test("closeIdleConnections closes idle connections, and not those in use")
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

        // MARK: Idle connections and unused pools

        @Test("an idle connection can be given up, and a connection in use cannot")
        func giveUp() {
            var state = http1(limit: 3)
            _ = arrive(3, at: &state)
            for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
            _ = state.freed(1, at: .zero)
            _ = state.freed(2, at: .zero)
            #expect((1...4).map { state.isIdle($0) } == [true, true, false, false])
            #expect(state.giveUp(1, at: .zero) == [.close(1)])
            #expect(state.giveUp(1, at: .zero) == [], "twice")
            #expect(state.giveUp(3, at: .zero) == [], "it is in use")
            #expect(arrive(2, at: &state) == [.run(on: 2), .wait([.open(4)])])
            var shared = either()
            _ = arrive(at: &shared)
            _ = shared.connectedHTTP2(1, streams: 9, at: .zero)
            #expect(!shared.isIdle(1))
            #expect(shared.giveUp(1, at: .zero) == [], "it has a stream")
            _ = shared.streamEnded(on: 1, at: .zero)
            #expect(shared.isIdle(1))
            #expect(shared.giveUp(1, at: .zero) == [.close(1)])
            #expect(shared.isUnused)
        }

        @Test("a pool without connections, attempts, requests and recent failures is unused")
        func unused() {
            var state = http1(limit: 1)
            #expect(state.isUnused)
            _ = arrive(at: &state)
            #expect(!state.isUnused, "an attempt")
            _ = state.connectedHTTP1(1, at: .zero)
            #expect(!state.isUnused, "a connection in use")
            _ = state.freed(1, at: .zero)
            #expect(!state.isUnused, "an idle connection")
            _ = state.expire(at: .seconds(60))
            #expect(state.isUnused)
            var now = Duration.seconds(100)
            for (failure, memory) in zip(2..., [1_000, 1_050, 1_100, 1_200]) {
                _ = arrive(at: &state, now)
                if case let next? = state.nextDeadline, next > now {
                    now = next
                    _ = state.expire(at: now)
                }
                #expect(state.attemptFailed(failure, at: now) == [.fail(failure)])
                #expect(!state.isUnused, "it has failed just now")
                #expect(state.nextDeadline == now + .milliseconds(memory))
            }
            let end = state.nextDeadline ?? .zero
            #expect(state.expire(at: end - .milliseconds(1)) == [])
            #expect(!state.isUnused)
            #expect(state.expire(at: end) == [])
            #expect(state.isUnused)
            #expect(state.nextDeadline == nil)
        }

        @Test("the pool reports whether a connection may become free, and its capacity")
        func hasConnection() {
            var state = either(limit: 3)
            #expect(!state.hasConnection)
            #expect(state.capacity == (3, false))
            _ = arrive(2, at: &state)
            #expect(!state.hasConnection, "there is an attempt only")
            _ = state.connectedHTTP2(1, streams: 0, at: .zero)
            #expect(!state.hasConnection, "the server allows no stream")
            #expect(state.capacity == (0, true))
            _ = state.streamLimitChanged(to: 1, on: 1, at: .zero)
            #expect(state.hasConnection)
            #expect(state.capacity == (1, true))
            _ = state.responsivenessChanged(to: false, of: 1, at: .zero)
            #expect(!state.hasConnection, "the server is silent")
            _ = state.responsivenessChanged(to: true, of: 1, at: .zero)
            #expect(state.hasConnection)
            _ = state.goingAway(1, at: .zero)
            #expect(!state.hasConnection, "the server accepts nothing any more")
            #expect(state.capacity == (3, false), "requests wait for another connection")
            var plain = http1(limit: 1)
            _ = arrive(2, at: &plain)
            _ = plain.connectedHTTP1(1, at: .zero)
            #expect(plain.hasConnection)
            _ = plain.closed(1, at: .zero)
            #expect(!plain.hasConnection)
        }

        // MARK: HTTP/2

        @Test("one connection is opened while the version is unknown; with HTTP/2, it carries all requests")
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

        @Test("requests beyond the server's limit wait, and requests that are sent again go before them")
        func streamLimit() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
            #expect(state.streamLimitChanged(to: 2, on: 1, at: .zero) == [.run(2, on: 1)])
            #expect(arrive(isResent: true, at: &state) == [.wait([])])
            #expect(state.streamEnded(on: 1, at: .zero) == [.run(4, on: 1)])
            #expect(state.cancelRequest(3, timedOut: true, at: .zero) == [])
            #expect(state.streamEnded(on: 1, at: .zero) == [])
            #expect(state.streamLimitChanged(to: 0, on: 1, at: .zero) == [])
            #expect(arrive(2, at: &state) == [.wait([]), .wait([])])
            #expect(state.streamLimitChanged(to: .max, on: 1, at: .zero) == [.run(5, on: 1), .run(6, on: 1)])
        }

        @Test("after HTTP/1.1 is negotiated, a pool that could use HTTP/2 opens connections as one that could not")
        func notShared() {
            var state = either()
            _ = arrive(3, at: &state)
            #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1), .open(2)])
            #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
            #expect(state.freed(1, at: .zero) == [.run(3, on: 1)])
        }

        @Test(
            "a connection whose server goes away keeps running requests, gets no new ones, and is closed with the last one"
        )
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

        @Test("no request is sent while it is in doubt whether the server responds")
        func unresponsive() {
            var state = either()
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP2(1, streams: 9, at: .zero)
            #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [])
            #expect(arrive(at: &state) == [.wait([.open(2)])])
            #expect(state.responsivenessChanged(to: true, of: 1, at: .zero) == [.run(3, on: 1)])
            #expect(state.connectedHTTP2(2, streams: 9, at: .zero) == [])
            #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [])
            #expect(arrive(at: &state) == [.run(on: 2)])
            #expect(state.closed(1, at: .zero) == [])
        }

        @Test("a server may change the version of HTTP between connections")
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

        @Test("resent requests go before new ones, in their original order")
        func age() {
            var state = either()
            let new = state.enqueue(at: .seconds(100)).0
            let ages = [3, 50, 1, 50, 7, 99, 0]
            let requests = ages.map { age in
                (age: age, number: state.enqueue(.resent(age: .seconds(age)), at: .seconds(100)).0)
            }
            // Later requests in this queue were created earlier.
            let late = state.enqueue(.resent(age: .seconds(50)), at: .seconds(140)).0
            _ = state.cancelRequest(requests[4].number, timedOut: false, at: .seconds(140))
            let expected =
                [5, 1, 3].map { requests[$0].number } + [late] + [0, 2, 6].map { requests[$0].number } + [new]
            let first = state.connectedHTTP2(1, streams: 4, at: .seconds(141))
            let then = expected.dropFirst(4).flatMap { _ in state.streamEnded(on: 1, at: .seconds(142)) }
            #expect(first + then == expected.map { .run($0, on: 1) })
        }

        @Test("a connection gets no more requests than an earlier one accepted, until the server accepts more")
        func allowance() {
            var state = either()
            let taken = ConnectionPoolStateMachine.Departure(processed: 3, refused: 7)
            _ = arrive(10, at: &state)
            #expect(state.connectedHTTP2(1, streams: 100, at: .zero).count == 10)
            #expect(state.goingAway(1, taken, at: .zero) == [])
            _ = arrive(7, isResent: true, at: &state)
            // Three requests use it, and another connection is opened for the others.
            #expect(
                state.connectedHTTP2(2, streams: 100, at: .zero)
                    == [.run(11, on: 2), .run(12, on: 2), .run(13, on: 2), .open(3)]
            )
            #expect(state.goingAway(2, .init(processed: 3), at: .zero) == [])
            #expect(
                state.connectedHTTP2(3, streams: 100, at: .zero)
                    == [.run(14, on: 3), .run(15, on: 3), .run(16, on: 3), .open(4)]
            )
            // The server responds to the last of them and does not go away.
            #expect(state.streamEnded(on: 3, number: 2, at: .zero) == [])
            #expect(state.streamEnded(on: 3, number: 3, at: .zero) == [.run(17, on: 3)])
            #expect(arrive(3, at: &state) == [.run(on: 3), .run(on: 3), .wait([])], "twice as many")
        }

        @Test("a server that is silent after the last expected request gets more a second later")
        func silentServer() {
            var state = either(limit: 2)
            _ = arrive(at: &state)
            _ = state.connectedHTTP2(1, streams: 100, at: .zero)
            #expect(state.goingAway(1, .init(processed: 1, refused: 4), at: .zero) == [])
            #expect(arrive(3, at: &state) == [.wait([.open(2)]), .wait([]), .wait([])])
            #expect(state.connectedHTTP2(2, streams: 100, at: .seconds(1)) == [.run(2, on: 2), .open(3)])
            #expect(
                state.connectedHTTP2(3, streams: 100, at: .seconds(1)) == [.run(3, on: 3)],
                "as many as over HTTP/1.1"
            )
            #expect(state.nextDeadline == .seconds(2))
            #expect(state.expire(at: .seconds(2)) == [.run(4, on: 2)])
            #expect(arrive(2, at: &state, .seconds(2)) == [.run(on: 3), .wait([])])
        }

        @Test("an unsent request does not count as accepted")
        func unsent() {
            var state = either()
            _ = arrive(at: &state)
            _ = state.connectedHTTP2(1, streams: 100, at: .zero)
            _ = state.goingAway(1, .init(processed: 1, refused: 1), at: .zero)
            _ = arrive(2, at: &state)
            #expect(state.connectedHTTP2(2, streams: 100, at: .zero) == [.run(2, on: 2), .open(3)])
            #expect(state.streamUnsent(on: 2, at: .zero) == [.run(3, on: 2)])
        }

        @Test(
            "connections on which the server refused everything cause growing pauses, and then an error"
        )
        func refusesAll() {
            var state = either()
            var now = Duration.zero
            var pauses: [Duration] = []
            let refusal = ConnectionPoolStateMachine.Departure(processed: 0, refused: 1, isError: true)
            _ = arrive(at: &state)
            for id in 1...5 {
                #expect(state.connectedHTTP2(id, streams: 100, at: now).count == 1)
                #expect(!state.isRefusingAll)
                let actions = state.goingAway(id, refusal, at: now)
                #expect(actions == (id == 5 ? [.fail(6)] : []))
                _ = state.streamEnded(on: id, at: now)
                guard id < 5 else { break }
                #expect(arrive(isResent: true, at: &state, now) == [.wait([])])
                if id == 4 { _ = arrive(at: &state, now) }
                let next = state.nextDeadline ?? .zero
                pauses.append(next - now)
                now = next
                #expect(state.expire(at: now) == [.open(id + 1)])
            }
            #expect(pauses == [100, 200, 400, 800].map { .milliseconds($0) })
            #expect(state.isRefusingAll)
            // The next request waits, and shows whether the server has recovered.
            #expect(arrive(at: &state, now) == [.wait([])])
            #expect(state.expire(at: now + .milliseconds(1600)) == [.open(6)])
            _ = state.connectedHTTP2(6, streams: 100, at: now + .seconds(2))
            _ = state.streamEnded(on: 6, number: 1, at: now + .seconds(2))
            #expect(!state.isRefusingAll)
        }

        @Test("the pool has one connection at a time while the server refuses all requests")
        func oneAtATime() {
            var state = either()
            _ = arrive(20, at: &state)
            #expect(state.connectedHTTP2(1, streams: 20, at: .zero).count == 20)
            _ = state.goingAway(1, .init(processed: 0, refused: 20, isError: true), at: .zero)
            _ = arrive(20, isResent: true, at: &state)
            #expect(state.expire(at: .milliseconds(100)) == [.open(2)])
            #expect(state.connectedHTTP2(2, streams: 20, at: .milliseconds(100)) == [.run(21, on: 2)])
            #expect(state.goingAway(2, .init(processed: 0, refused: 1, isError: true), at: .milliseconds(100)) == [])
            #expect(state.nextDeadline == .milliseconds(300))
        }

        @Test("a server that requires HTTP/1.1 gets all later requests over it (RFC 9113, section 7)")
        func requiresHTTP1() {
            var state = either(limit: 2)
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP2(1, streams: 1, at: .zero)
            #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [.open(2)])
            // The attempt offers HTTP/2.
            #expect(state.http1Required(at: .zero) == [.close(2), .open(3)])
            #expect(state.http1Required(at: .zero) == [], "known")
            #expect(state.streamEnded(on: 1, at: .zero) == [.close(1)])
            #expect(arrive(isResent: true, at: &state) == [.wait([.open(4)])])
            #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)])
            #expect(state.connectedHTTP1(4, at: .zero) == [.run(2, on: 4)])
        }

        // MARK: Connections closed by the server

        @Test("an unsent request uses an idle connection and goes before new ones")
        func returned() {
            var state = http1(limit: 2)
            _ = arrive(2, at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            _ = state.connectedHTTP1(2, at: .zero)
            _ = state.freed(1, at: .zero)
            #expect(state.enqueue(.returned, at: .zero).1 == .run(on: 1))
            #expect(arrive(at: &state) == [.wait([])])
            let request = state.enqueue(.returned, at: .zero).0
            #expect(state.freed(2, at: .zero) == [.run(request, on: 2)])
        }

        @Test(
            "a connection is closed slightly earlier than the server would close it (RFC 2068, section 19.7.1.1)",
            arguments: [
                (nil, 60_000), (0, 0), (1, 750), (2, 1_500), (5, 4_000), (60, 59_000), (61, 60_000), (86_400, 60_000),
            ] as [(Int?, Int)]
        )
        func keepAlive(timeout: Int?, milliseconds: Int) {
            var state = http1()
            _ = arrive(at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            let actions = state.freed(1, keepAlive: timeout.map { .seconds($0) }, at: .seconds(1))
            guard milliseconds > 0 else {
                #expect(actions == [.close(1)])
                return
            }
            let end = Duration.seconds(1) + .milliseconds(milliseconds)
            #expect(actions == [])
            #expect(state.nextDeadline == end)
            #expect(state.expire(at: end - .milliseconds(1)) == [])
            // The timer may be late.
            #expect(arrive(at: &state, end) == [.wait([.close(1), .open(2)])])
        }

        @Test(
            "a request that is not repeatable avoids a connection as old as those that the server closed",
            arguments: [
                (closed: 0, idle: 0, isUsed: false), (closed: 0, idle: 49, isUsed: false),
                (closed: 1_000, idle: 449, isUsed: true),
                (closed: 1_000, idle: 450, isUsed: false), (closed: 1_000, idle: 2_049, isUsed: false),
                (closed: 1_000, idle: 2_050, isUsed: true),
            ]
        )
        func staleConnection(closed: Int, idle: Int, isUsed: Bool) {
            for isBusy in [false, true] {
                var state = http1(limit: 1)
                _ = arrive(at: &state)
                _ = state.connectedHTTP1(1, at: .zero)
                _ = state.freed(1, at: .zero)
                let time = Duration.milliseconds(closed)
                if isBusy { #expect(arrive(at: &state, time) == [.run(on: 1)]) }
                #expect(state.closed(1, isStale: true, at: time) == [])
                _ = arrive(at: &state, time)
                _ = state.connectedHTTP1(2, at: time)
                _ = state.freed(2, at: time)
                let now = time + .milliseconds(idle)
                let result = state.enqueue(isRepeatable: false, at: now).1
                #expect(result == (isUsed ? .run(on: 2) : .wait([.close(2), .open(3)])))
                if isUsed {
                    // The server keeps connections open, because it has kept one for longer.
                    _ = state.freed(2, at: now)
                    let later = state.enqueue(isRepeatable: false, at: now + time).1
                    #expect((later == .run(on: 2)) == (idle > closed))
                }
            }
        }

        @Test("a server that closes connections after a number of requests gets no more on each", arguments: 1...4)
        func exhaustedConnection(accepted: Int) {
            var state = http1(limit: 1)
            func serve(_ id: Int, times: Int) {
                for _ in 0..<times { _ = state.freed(id, at: .zero) == [] ? arrive(at: &state) : [] }
            }
            _ = arrive(at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            serve(1, times: accepted)
            _ = state.closed(1, isStale: true, at: .zero)
            _ = arrive(at: &state)
            _ = state.connectedHTTP1(2, at: .zero)
            serve(2, times: accepted - 1)
            // The last request is running, and another one waits.
            #expect(arrive(at: &state) == [.wait([])])
            #expect(state.freed(2, at: .zero) == [.close(2), .open(3)])
            #expect(state.connectedHTTP1(3, at: .zero).first.map { if case .run = $0 { true } else { false } } == true)
            serve(3, times: accepted - 1)
            _ = state.freed(3, at: .zero)
            // The idle time does not matter.
            #expect(state.enqueue(isRepeatable: false, at: .seconds(10)).1 == .wait([.close(3), .open(4)]))
        }

        @Test("a repeatable request uses each idle connection, and so does any other after a minute")
        func repeatable() {
            var state = http1(limit: 1)
            _ = arrive(at: &state)
            _ = state.connectedHTTP1(1, at: .zero)
            _ = state.freed(1, at: .zero)
            _ = state.closed(1, at: .zero)
            _ = arrive(at: &state)
            _ = state.connectedHTTP1(2, at: .zero)
            _ = state.freed(2, at: .zero)
            #expect(arrive(at: &state) == [.run(on: 2)])
            _ = state.freed(2, at: .seconds(60))
            #expect(state.enqueue(isRepeatable: false, at: .seconds(60)).1 == .run(on: 2))
        }
    }
#endif
