import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A base URL that is not reached is avoided, and then probed by one request")
struct BaseURLHealthTests {
    private typealias Permission = BaseURLHealth.Permission

    private static let period = Duration.seconds(30)

    private func at(_ seconds: Int) -> Duration { .seconds(seconds) }

    @Test("a base URL is avoided for the period after a failure, and the others are not")
    func avoids() {
        var health = BaseURLHealth(count: 2, period: Self.period)
        #expect(health.permission(for: 0, canProbe: true, at: at(1)) == .allowed)
        health.record(.notReached, of: 0, isProbe: false, sent: at(1), at: at(2))
        #expect(health.permission(for: 0, canProbe: true, at: at(2)) == .avoided(for: .seconds(30)))
        #expect(health.permission(for: 0, canProbe: true, at: at(31)) == .avoided(for: .seconds(1)))
        #expect(health.permission(for: 1, canProbe: true, at: at(31)) == .allowed)
    }

    @Test("one request probes after the period, and the others avoid the base URL until it has responded")
    func probes() {
        var health = BaseURLHealth(count: 1, period: Self.period)
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(0))
        #expect(health.permission(for: 0, canProbe: false, at: at(30)) == .avoided(for: .zero))
        #expect(health.permission(for: 0, canProbe: true, at: at(30)) == .probe)
        #expect(health.permission(for: 0, canProbe: true, at: at(31)) == .avoided(for: .seconds(29)))
        health.record(.reached, of: 0, isProbe: true, sent: at(30), at: at(32))
        #expect(health.permission(for: 0, canProbe: true, at: at(32)) == .allowed)
    }

    @Test("a failed probe begins another period, and one without a result lets the next request probe")
    func failedProbes() {
        var health = BaseURLHealth(count: 1, period: Self.period)
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(0))
        #expect(health.permission(for: 0, canProbe: true, at: at(40)) == .probe)
        health.record(.notReached, of: 0, isProbe: true, sent: at(40), at: at(45))
        #expect(health.permission(for: 0, canProbe: true, at: at(74)) == .avoided(for: .seconds(1)))
        #expect(health.permission(for: 0, canProbe: true, at: at(75)) == .probe)
        health.record(.unknown, of: 0, isProbe: true, sent: at(75), at: at(76))
        #expect(health.permission(for: 0, canProbe: true, at: at(76)) == .probe)
    }

    @Test("a probe that never ends lets another request probe after the period")
    func lostProbe() {
        var health = BaseURLHealth(count: 1, period: Self.period)
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(0))
        #expect(health.permission(for: 0, canProbe: true, at: at(30)) == .probe)
        #expect(health.permission(for: 0, canProbe: true, at: at(59)) == .avoided(for: .seconds(1)))
        #expect(health.permission(for: 0, canProbe: true, at: at(60)) == .probe)
    }

    @Test("a failure does not count if the base URL has responded to a later request")
    func slowRequest() {
        var health = BaseURLHealth(count: 1, period: Self.period)
        health.record(.reached, of: 0, isProbe: false, sent: at(5), at: at(6))
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(60))
        #expect(health.permission(for: 0, canProbe: true, at: at(60)) == .allowed)
        health.record(.notReached, of: 0, isProbe: false, sent: at(6), at: at(61))
        #expect(health.permission(for: 0, canProbe: true, at: at(61)) == .avoided(for: .seconds(30)))
    }

    @Test("requests that were sent before the failure do not extend the period, and a response ends it")
    func otherRequests() {
        var health = BaseURLHealth(count: 1, period: Self.period)
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(1))
        health.record(.notReached, of: 0, isProbe: false, sent: at(0), at: at(20))
        health.record(.unknown, of: 0, isProbe: false, sent: at(0), at: at(21))
        #expect(health.permission(for: 0, canProbe: true, at: at(21)) == .avoided(for: .seconds(10)))
        health.record(.reached, of: 0, isProbe: false, sent: at(0), at: at(22))
        #expect(health.permission(for: 0, canProbe: true, at: at(22)) == .allowed)
    }

    @Test("in random histories at most one request probes in a period, and a base URL that responds is used again")
    func random() {
        for seed: UInt64 in 0..<200 {
            var generator = SeededGenerator(seed: seed)
            var health = BaseURLHealth(count: 2, period: Self.period)
            var (now, probes) = (0, [[Int]](repeating: [], count: 2))
            for _ in 0..<300 {
                now += Int.random(in: 0...10, using: &generator)
                let base = Int.random(in: 0...1, using: &generator)
                let permission = health.permission(for: base, canProbe: true, at: at(now))
                let sent = at(now)
                switch permission {
                case .avoided(let time): #expect(time > .zero && time <= Self.period)
                case .allowed, .probe:
                    if permission == .probe { probes[base].append(now) }
                    now += Int.random(in: 0...3, using: &generator)
                    let result: BaseURLHealth.Result = Bool.random(using: &generator) ? .reached : .notReached
                    health.record(result, of: base, isProbe: permission == .probe, sent: sent, at: at(now))
                    let next = health.permission(for: base, canProbe: false, at: at(now))
                    #expect(next == (result == .reached ? .allowed : .avoided(for: Self.period)))
                }
            }
            for times in probes {
                #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 30 })
            }
            #expect(!probes[0].isEmpty)
        }
    }
}
