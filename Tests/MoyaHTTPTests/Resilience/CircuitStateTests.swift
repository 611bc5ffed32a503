import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A circuit opens by failures, and closes by the success of probes")
struct CircuitStateTests {
    /// A circuit whose exchanges are numbers, with short forms of its functions.
    private struct Circuit {
        var state: CircuitState
        var passes: [Int: CircuitState.Pass] = [:]

        init(
            failureRate: Double = 0.5,
            window: Duration = .seconds(10),
            minimum: Int = 2,
            openPeriod: Duration = .seconds(5),
            probes: Int = 1
        ) {
            state = CircuitState(
                CircuitRule(
                    failureRate: failureRate,
                    window: window,
                    minimumExchanges: minimum,
                    openPeriod: openPeriod,
                    probes: probes
                )
            )
        }

        /// Decides about an exchange.
        mutating func request(_ number: Int, at now: Double) -> String {
            switch state.request(at: .seconds(now)) {
            case .allowed(let pass, let change):
                passes[number] = pass
                return change.map { Self.text($0) } ?? "allowed"
            case .refused(let since, let until, let refused):
                return "refused from \(since / .seconds(1)) until \(until / .seconds(1)) after \(refused)"
            }
        }

        /// Ends an exchange, and returns the change.
        mutating func end(_ number: Int, _ outcome: CircuitState.Outcome, at now: Double) -> String? {
            guard let pass = passes.removeValue(forKey: number) else { return "no pass" }
            return state.finish(pass, outcome, at: .seconds(now)).map { Self.text($0) }
        }

        /// Sends an exchange, which ends at once, and returns the change.
        mutating func send(_ outcome: CircuitState.Outcome, at now: Double) -> String? {
            let decision = request(-1, at: now)
            return decision == "allowed" ? end(-1, outcome, at: now) : decision
        }

        /// Opens the circuit.
        mutating func open(at now: Double) {
            while state.phase == .closed { _ = send(.failure, at: now) }
        }

        private static func text(_ change: CircuitState.Change) -> String {
            switch change {
            case .opened: "opened"
            case .halfOpened(let time): "half-open after \(time / .seconds(1))"
            case .closed(let time): "closed after \(time / .seconds(1))"
            }
        }
    }

    /// The outcomes of exchanges at one time (s, f, i), and the number of the one that opens the circuit.
    private static let rates: [(rate: Double, minimum: Int, outcomes: String, opensAt: Int?)] = [
        (0.5, 1, "f", 1),
        (0.5, 4, "fffff", 4),
        (0.5, 4, "sfsf", 4),
        (0.5, 4, "sssfff", 6),
        (0.5, 4, "sssfffs", 6),
        (0.5, 4, "ssssfff", nil),
        (0.5, 4, "fff", nil),
        // A success completes the minimum, and the next failure opens the circuit.
        (0.5, 4, "fffs", nil),
        (0.5, 4, "fffsf", 5),
        (0.5, 4, "ffiiiii", nil),
        (0.5, 4, "fifisf", 6),
        (1, 3, "fffs", 3),
        (1, 3, "sffffff", nil),
        (0.1, 10, "sssssssssf", 10),
        (0.1, 10, "ssssssssssf", nil),
        (0.3, 10, "sssssssfff", 10),
        // 0.55 × 100 is more than 55 in floating point.
        (0.55, 100, String(repeating: "s", count: 45) + String(repeating: "f", count: 55), 100),
        (0.7, 10, "sssfffffff", 10),
    ]

    @Test(
        "a failure opens the circuit if the window has the minimum of exchanges and the failure rate",
        arguments: rates
    )
    func opening(rate: Double, minimum: Int, outcomes: String, opensAt: Int?) {
        var circuit = Circuit(failureRate: rate, minimum: minimum)
        var opened: Int?
        for (index, letter) in outcomes.enumerated() where opened == nil {
            let outcome: CircuitState.Outcome = letter == "s" ? .success : letter == "f" ? .failure : .ignored
            if circuit.send(outcome, at: 1) == "opened" { opened = index + 1 }
        }
        #expect(opened == opensAt)
    }

    @Test("an exchange counts in the window by the time of its end, and leaves it in the step of its tenth")
    func window() {
        for (first, second, opens) in [
            (0.0, 9.9, true), (0, 10, false), (0.9, 9.9, true), (0.9, 10, false), (1, 10.9, true), (1, 11, false),
            (25, 34.9, true), (25, 1e9, false),
        ] {
            var circuit = Circuit()
            #expect(circuit.request(1, at: 0) == "allowed")
            #expect(circuit.end(1, .failure, at: first) == nil)
            #expect(circuit.send(.failure, at: second) == (opens ? "opened" : nil), "\(first) and \(second)")
        }
    }

    @Test("an open circuit refuses exchanges until the end of its period, and the success of a probe closes it")
    func cycle() {
        var circuit = Circuit()
        circuit.open(at: 1)
        #expect(circuit.request(1, at: 1) == "refused from 1.0 until 6.0 after 0")
        #expect(circuit.request(1, at: 5.999) == "refused from 1.0 until 6.0 after 1")
        #expect(circuit.request(1, at: 6) == "half-open after 5.0")
        #expect(circuit.request(2, at: 6) == "refused from 1.0 until 11.0 after 2")
        #expect(circuit.end(1, .success, at: 7) == "closed after 6.0")
        // The failures before the probe do not count anymore.
        #expect(circuit.send(.failure, at: 7) == nil)
        #expect(circuit.send(.failure, at: 7) == "opened")
        #expect(circuit.request(1, at: 8) == "refused from 7.0 until 12.0 after 0")
    }

    @Test("the failure of a probe opens the circuit for another period, and its beginning stays the same")
    func failedProbe() {
        var circuit = Circuit()
        circuit.open(at: 0)
        #expect(circuit.request(1, at: 5) == "half-open after 5.0")
        #expect(circuit.end(1, .failure, at: 7) == "opened")
        #expect(circuit.request(2, at: 11.9) == "refused from 0.0 until 12.0 after 0")
        #expect(circuit.request(2, at: 12) == "half-open after 12.0")
        #expect(circuit.end(2, .success, at: 13) == "closed after 13.0")
    }

    @Test("a half-open circuit allows a number of probes, all of which must succeed")
    func probes() {
        var circuit = Circuit(probes: 3)
        circuit.open(at: 0)
        #expect(circuit.request(1, at: 5) == "half-open after 5.0")
        #expect(circuit.request(2, at: 5) == "allowed")
        #expect(circuit.end(1, .success, at: 6) == nil)
        #expect(circuit.request(3, at: 6) == "allowed")
        #expect(circuit.request(4, at: 6) == "refused from 0.0 until 11.0 after 0")
        #expect(circuit.end(3, .success, at: 7) == nil)
        #expect(circuit.request(4, at: 7) == "refused from 0.0 until 11.0 after 1")
        #expect(circuit.end(2, .success, at: 8) == "closed after 8.0")

        circuit.open(at: 10)
        #expect(circuit.request(1, at: 15) == "half-open after 5.0")
        #expect(circuit.request(2, at: 15) == "allowed")
        #expect(circuit.end(1, .failure, at: 16) == "opened")
        // The other probe began before the last change.
        #expect(circuit.end(2, .success, at: 17) == nil)
        #expect(circuit.request(3, at: 20.9) == "refused from 10.0 until 21.0 after 0")
    }

    @Test("an ignored probe gives its place back")
    func ignoredProbe() {
        var circuit = Circuit()
        circuit.open(at: 0)
        for number in 1...3 {
            #expect(circuit.request(number, at: 5) == (number == 1 ? "half-open after 5.0" : "allowed"))
            #expect(circuit.request(9, at: 5) == "refused from 0.0 until 10.0 after \(number - 1)")
            #expect(circuit.end(number, .ignored, at: 5) == nil)
        }
        #expect(circuit.request(4, at: 6) == "allowed")
        #expect(circuit.end(4, .success, at: 6) == "closed after 6.0")
    }

    @Test("the outcome of an exchange that began before the last change does not count")
    func lateOutcomes() {
        var circuit = Circuit()
        for number in 1...6 { #expect(circuit.request(number, at: 0) == "allowed") }
        #expect(circuit.end(1, .failure, at: 0) == nil)
        #expect(circuit.end(2, .failure, at: 0) == "opened")
        #expect(circuit.end(3, .failure, at: 1) == nil)
        #expect(circuit.request(7, at: 5) == "half-open after 5.0")
        #expect(circuit.end(4, .success, at: 5) == nil)
        #expect(circuit.end(5, .failure, at: 5) == nil)
        #expect(circuit.request(8, at: 5) == "refused from 0.0 until 10.0 after 0")
        #expect(circuit.end(7, .success, at: 6) == "closed after 6.0")
        #expect(circuit.end(6, .failure, at: 6) == nil)
        #expect(circuit.send(.failure, at: 6) == nil)
        #expect(circuit.send(.failure, at: 6) == "opened")
    }

    @Test("if the probes have no outcome within a period, one more is allowed, and the first outcome decides")
    func stuckProbes() {
        for outcome in [CircuitState.Outcome.success, .failure] {
            var circuit = Circuit()
            circuit.open(at: 0)
            #expect(circuit.request(1, at: 5) == "half-open after 5.0")
            #expect(circuit.request(2, at: 9.9) == "refused from 0.0 until 10.0 after 0")
            #expect(circuit.request(2, at: 10) == "allowed")
            #expect(circuit.request(3, at: 14.9) == "refused from 0.0 until 15.0 after 1")
            #expect(circuit.end(1, outcome, at: 15) == (outcome == .success ? "closed after 15.0" : "opened"))
            #expect(circuit.end(2, .failure, at: 16) == nil)
            #expect(circuit.state.isIdle)
        }
    }

    @Test("a clock that goes back neither opens nor closes a circuit, and counts as its latest time")
    func clock() {
        var circuit = Circuit()
        #expect(circuit.send(.failure, at: 100) == nil)
        #expect(circuit.send(.failure, at: 0) == "opened")
        #expect(circuit.request(1, at: -1e6) == "refused from 100.0 until 105.0 after 0")
        #expect(circuit.request(1, at: 105) == "half-open after 5.0")
        #expect(circuit.request(2, at: 0) == "refused from 100.0 until 110.0 after 1")
        #expect(circuit.end(1, .success, at: 3) == "closed after 5.0")
        #expect(circuit.request(1, at: 2) == "allowed")
    }

    @Test("a circuit can be forgotten if it is closed and its window is empty")
    func unused() {
        var circuit = Circuit()
        #expect(circuit.state.isUnused(at: .zero))
        #expect(circuit.request(1, at: 0) == "allowed")
        #expect(!circuit.state.isIdle)
        #expect(!circuit.state.isUnused(at: .seconds(1e6)))
        #expect(circuit.end(1, .success, at: 0) == nil)
        #expect(circuit.state.isIdle)
        #expect(!circuit.state.isUnused(at: .seconds(9.9)))
        #expect(circuit.state.isUnused(at: .seconds(10)))
        circuit.open(at: 0)
        #expect(circuit.state.isIdle)
        #expect(!circuit.state.isUnused(at: .seconds(1e6)))
    }

    @Test("settings out of bounds are replaced by the bounds")
    func bounds() {
        for (rate, expected) in [
            (0, 0.01), (-1, 0.01), (0.001, 0.01), (-Double.infinity, 0.01), (.nan, 0.01), (0.3, 0.3), (1.5, 1),
            (.infinity, 1),
        ] {
            let rule = CircuitRule(
                failureRate: rate,
                window: .seconds(1),
                minimumExchanges: 1,
                openPeriod: .seconds(1),
                probes: 1
            )
            #expect(rule.failureRate == expected)
        }
        let lower = CircuitRule(
            failureRate: 0.5,
            window: .zero,
            minimumExchanges: 0,
            openPeriod: .seconds(-1),
            probes: -5
        )
        #expect(lower.window == .milliseconds(1) && lower.openPeriod == .milliseconds(1))
        #expect(lower.minimumExchanges == 1 && lower.probes == 1)
        let upper = CircuitRule(
            failureRate: 0.5,
            window: .seconds(Int64.max),
            minimumExchanges: .max,
            openPeriod: .seconds(Int64.max),
            probes: .max
        )
        #expect(upper.window == .seconds(86_400) && upper.openPeriod == .seconds(86_400))
        #expect(upper.minimumExchanges == 1_000_000 && upper.probes == 1_000_000)
    }

    // MARK: Model

    /// The same rules without a bound on memory: a list of all outcomes, and the time of each change.
    private struct Model {
        enum Phase { case closed, open, halfOpen }

        let rate: Double
        let minimum: Int
        let probes: Int
        /// The latest time.
        var now = 0
        var phase = Phase.closed
        var changes = [0]
        var firstOpening = 0
        /// The outcomes since the last change, with their times.
        var outcomes: [(time: Int, outcome: CircuitState.Outcome)] = []
        /// The times at which probes have begun since the last change.
        var begun: [Int] = []
        /// The changes before each exchange that runs.
        var exchanges: [Int: Int] = [:]

        /// The window has ten slices of a second, and a circuit is open for five seconds; times are in tenths of a second.
        private static let (slice, period) = (10, 50)

        private mutating func change(to phase: Phase) {
            self.phase = phase
            changes.append(now)
            (outcomes, begun) = ([], [])
        }

        mutating func request(_ number: Int, at time: Int) -> String {
            now = max(now, time)
            var result = "allowed"
            switch phase {
            case .closed: break
            case .open:
                let until = (changes.last ?? 0) + Self.period
                guard now >= until else { return "refused \(firstOpening) \(until)" }
                change(to: .halfOpen)
                result = "half-open after \(now - firstOpening)"
            case .halfOpen:
                let free = probes - (begun.count - outcomes.count { $0.outcome == .ignored })
                let next = (begun.last ?? 0) + Self.period
                if free <= 0, now < next { return "refused \(firstOpening) \(next)" }
            }
            begun.append(now)
            exchanges[number] = changes.count
            return result
        }

        mutating func end(_ number: Int, _ outcome: CircuitState.Outcome, at time: Int) -> String {
            now = max(now, time)
            guard exchanges.removeValue(forKey: number) == changes.count else { return "" }
            outcomes.append((now, outcome))
            if phase == .closed {
                let counted = outcomes.filter {
                    $0.time / Self.slice > now / Self.slice - 10 && $0.outcome != .ignored
                }
                let failures = counted.count { $0.outcome == .failure }
                guard outcome == .failure, counted.count >= minimum, Double(failures) >= rate * Double(counted.count)
                else { return "" }
                firstOpening = now
                change(to: .open)
                return "opened"
            }
            if outcome == .failure {
                change(to: .open)
                return "opened"
            }
            guard outcomes.count(where: { $0.outcome == .success }) >= probes else { return "" }
            change(to: .closed)
            return "closed after \(now - firstOpening)"
        }
    }

    @Test("a circuit behaves as a model that keeps all outcomes, in 3 × 10^5 random steps", arguments: 0..<6)
    func random(number: Int) {
        var generator = SeededGenerator(seed: 11, number: UInt64(number))
        // The rates are exact in floating point.
        let rate = [0.25, 0.5, 0.75][number % 3]
        let (minimum, probes) = ([1, 3, 10][number / 2], 1 + number % 4)
        var model = Model(rate: rate, minimum: minimum, probes: probes)
        var circuit = CircuitState(
            CircuitRule(
                failureRate: rate,
                window: .seconds(10),
                minimumExchanges: minimum,
                openPeriod: .seconds(5),
                probes: probes
            )
        )
        var running: [(number: Int, pass: CircuitState.Pass)] = []
        var now = 0
        var failing = false
        var counts: [String: Int] = [:]
        var mistakes = 0
        for step in 0..<50_000 {
            now += Int(generator.next() % 8)
            if generator.next() % 500 == 0 { now += 1_000 }
            if generator.next() % 100 == 0 { failing.toggle() }
            // The clock goes back now and then, for one step.
            let shown = generator.next() % 20 == 0 ? now - 7 : now
            let time = Duration.milliseconds(100 * shown)
            if generator.next() % 2 == 0, running.count < 30 {
                let expected = model.request(step, at: shown)
                let text: String
                switch circuit.request(at: time) {
                case .allowed(let pass, let change):
                    running.append((step, pass))
                    text = change.map { Self.text($0) } ?? "allowed"
                case .refused(let since, let until, _):
                    text = "refused \(Self.tenths(since)) \(Self.tenths(until))"
                }
                if text != expected { mistakes += 1 }
                counts[expected.prefix { $0 != " " }.description, default: 0] += 1
            } else if !running.isEmpty {
                let exchange = running.remove(at: Int(generator.next() % UInt64(running.count)))
                let random = generator.next() % 10
                let outcome: CircuitState.Outcome =
                    random == 0 ? .ignored : random < (failing ? 8 : 2) ? .failure : .success
                let expected = model.end(exchange.number, outcome, at: shown)
                let change = circuit.finish(exchange.pass, outcome, at: time)
                if (change.map { Self.text($0) } ?? "") != expected { mistakes += 1 }
                counts[expected.prefix { $0 != " " }.description, default: 0] += 1
            }
            if circuit.running != running.count { mistakes += 1 }
        }
        #expect(mistakes == 0)
        for kind in ["allowed", "refused", "half-open", "opened", "closed"] {
            #expect(counts[kind, default: 0] > 20, "\(kind)")
        }
    }

    private static func tenths(_ time: Duration) -> Int { Int((time / .milliseconds(100)).rounded()) }

    private static func text(_ change: CircuitState.Change) -> String {
        switch change {
        case .opened: "opened"
        case .halfOpened(let time): "half-open after \(tenths(time))"
        case .closed(let time): "closed after \(tenths(time))"
        }
    }
}
