/// A queue in which a request waits, and which it can leave at any place, in constant time.
struct WaitingQueue<Element: Sendable>: Sendable {
    /// The place of an element, which stays the same while others leave.
    typealias Ticket = Int

    /// The elements from `first` on; `nil` for those that have left.
    private var elements: [Element?] = []
    private var first = 0
    /// The ticket of the first value in `elements`.
    private var firstTicket = 0
    /// The number of elements that wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The element that has waited longest.
    var head: Element? { count == 0 ? nil : elements[first] }

    /// Adds an element at the end, and returns its ticket.
    mutating func append(_ element: Element) -> Ticket {
        elements.append(element)
        count += 1
        return firstTicket + elements.count - 1
    }

    /// Removes and returns the element that has waited longest.
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        return remove(at: first)
    }

    /// Removes and returns the element with a ticket; `nil` if it has left.
    mutating func remove(_ ticket: Ticket) -> Element? {
        let index = ticket - firstTicket
        return index >= first && index < elements.count ? remove(at: index) : nil
    }

    /// Removes the elements for which a function returns true.
    ///
    /// The function gets the number of elements before each one that stay.
    mutating func removeAll(where mustLeave: (_ element: Element, _ before: Int) -> Bool) {
        var before = 0
        for index in elements.indices.dropFirst(first) {
            guard let element = elements[index] else { continue }
            if mustLeave(element, before) {
                elements[index] = nil
                count -= 1
            } else {
                before += 1
            }
        }
        dropBeginning()
    }

    private mutating func remove(at index: Int) -> Element? {
        guard let element = elements[index] else { return nil }
        elements[index] = nil
        count -= 1
        dropBeginning()
        return element
    }

    /// Drops the places at the beginning whose elements have left.
    ///
    /// The places at the end stay, because a ticket must not be used twice: a request may cancel its wait after it has left.
    private mutating func dropBeginning() {
        while first < elements.count, elements[first] == nil { first += 1 }
        // The array is shortened seldom, so that each element is moved once on average.
        if first >= 32, first * 2 >= elements.count {
            elements.removeFirst(first)
            firstTicket += first
            first = 0
        }
    }
}
