/// A queue of elements with deadlines, which an element can leave before its deadline.
///
/// An element that leaves is released at once; its deadline stays until it is due or until half of the deadlines belong to no
/// element. So both take logarithmic time.
package struct DeadlineQueue<Element: Sendable>: Sendable {
    /// The identifier of an element.
    package typealias Ticket = UInt64

    private struct Deadline: Comparable, Sendable {
        let time: Duration
        let ticket: Ticket

        static func < (lhs: Deadline, rhs: Deadline) -> Bool { (lhs.time, lhs.ticket) < (rhs.time, rhs.ticket) }
    }

    /// A binary heap: a deadline is not later than those at twice its index plus one and plus two.
    private var heap: [Deadline] = []
    private var elements: [Ticket: Element] = [:]
    private var lastTicket: Ticket = 0

    /// Creates an empty queue.
    package init() {}

    /// The number of elements.
    var count: Int { elements.count }

    /// The number of deadlines, including those of elements that have left.
    var storedDeadlines: Int { heap.count }

    /// Adds an element, and returns its ticket.
    package mutating func insert(_ element: Element, at time: Duration) -> Ticket {
        lastTicket += 1
        elements[lastTicket] = element
        heap.append(Deadline(time: time, ticket: lastTicket))
        moveUp(heap.count - 1)
        return lastTicket
    }

    /// Removes and returns the element with a ticket; `nil` if it has left.
    package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let element = elements.removeValue(forKey: ticket) else { return nil }
        if heap.count >= 64, heap.count > elements.count * 2 {
            // A sorted array is a heap.
            heap = heap.filter { elements[$0.ticket] != nil }.sorted()
        }
        return element
    }

    /// Removes and returns the elements whose deadlines have been reached, the earliest first.
    package mutating func popDue(at now: Duration) -> [Element] {
        var due: [Element] = []
        while let first = heap.first, first.time <= now {
            removeFirst()
            if let element = elements.removeValue(forKey: first.ticket) { due.append(element) }
        }
        return due
    }

    /// Returns the earliest deadline of an element.
    package mutating func earliest() -> Duration? {
        while let first = heap.first, elements[first.ticket] == nil { removeFirst() }
        return heap.first?.time
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        moveDown(0)
    }

    private mutating func moveUp(_ start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func moveDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [index * 2 + 1, index * 2 + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
