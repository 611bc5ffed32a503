import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A queue of waiting requests keeps its order")
struct WaitingQueueTests {
    @Test("a queue equals an array in random steps")
    func model() {
        var generator = SeededGenerator(seed: 7)
        var queue = WaitingQueue<Int>()
        var array: [(ticket: Int, value: Int)] = []
        var gone: [Int] = []
        for value in 0..<20_000 {
            switch generator.next() % 8 {
            case 0...2:
                let ticket = queue.append(value)
                #expect(!gone.contains(ticket))
                array.append((ticket, value))
            case 3, 4:
                let expected = array.isEmpty ? nil : array.removeFirst()
                if let expected { gone.append(expected.ticket) }
                #expect(queue.popFirst() == expected?.value)
            case 5 where !array.isEmpty:
                let index = Int(generator.next() % UInt64(array.count))
                let expected = array.remove(at: index)
                gone.append(expected.ticket)
                #expect(queue.remove(expected.ticket) == expected.value)
            case 6:
                // A ticket that was used once removes nothing.
                if let ticket = gone.last { #expect(queue.remove(ticket) == nil) }
            case 7 where value % 100 == 7:
                var befores: [Int] = []
                queue.removeAll { element, before in
                    befores.append(before)
                    return element % 3 == 0
                }
                var before = 0
                let expected = array.map { entry in
                    defer { if entry.value % 3 != 0 { before += 1 } }
                    return before
                }
                #expect(befores == expected)
                gone += array.filter { $0.value % 3 == 0 }.map(\.ticket)
                array.removeAll { $0.value % 3 == 0 }
            default: break
            }
            gone = gone.suffix(50)
            #expect(queue.count == array.count)
            #expect(queue.head == array.first?.value)
        }
    }
}
