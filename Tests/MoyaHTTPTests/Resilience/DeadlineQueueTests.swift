import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A queue orders elements by their deadlines")
struct DeadlineQueueTests {
    @Test("a queue equals a sorted array in random steps")
    func model() {
        var generator = SeededGenerator(seed: 11)
        var queue = DeadlineQueue<Int>()
        var array: [(time: Duration, ticket: UInt64, value: Int)] = []
        var now = Duration.zero
        for value in 0..<5_000 {
            switch generator.next() % 8 {
            case 0...3:
                let time = now + .milliseconds(Int(generator.next() % 200))
                array.append((time, queue.insert(value, at: time), value))
            case 4...6:
                guard let index = array.indices.randomElement(using: &generator) else { continue }
                let removed = array.remove(at: index)
                #expect(queue.remove(removed.ticket) == removed.value)
                #expect(queue.remove(removed.ticket) == nil)
            default:
                now += .milliseconds(Int(generator.next() % 20))
                let due = array.filter { $0.time <= now }.sorted { ($0.time, $0.ticket) < ($1.time, $1.ticket) }
                array.removeAll { $0.time <= now }
                #expect(queue.popDue(at: now) == due.map(\.value))
            }
            #expect(queue.count == array.count)
            #expect(queue.earliest() == array.map(\.time).min())
        }
    }

    @Test("the deadlines of elements that have left are removed before they are due")
    func memory() {
        var queue = DeadlineQueue<Int>()
        let first = queue.insert(0, at: .seconds(1))
        for number in 1...10_000 {
            let ticket = queue.insert(number, at: .seconds(1) + .milliseconds(number))
            #expect(queue.remove(ticket) == number)
            #expect(queue.storedDeadlines <= 64)
        }
        #expect(queue.earliest() == .seconds(1))
        #expect(queue.remove(first) == 0)
        #expect(queue.earliest() == nil)
        #expect(queue.popDue(at: .seconds(1_000)).isEmpty)
    }
}
