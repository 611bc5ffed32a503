/// A queue of ascending numbers.
struct RequestQueue: Sendable {
    private var numbers: [Int] = []
    /// The index of the first number in the queue.
    private var start = 0

    var count: Int { numbers.count - start }

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func popFirst(upTo limit: Int = .max) -> Int? {
        guard start < numbers.count, numbers[start] <= limit else { return nil }
        let first = numbers[start]
        start += 1
        if start == numbers.count {
            numbers.removeAll(keepingCapacity: start < 64)
            start = 0
        } else if start >= 64, start * 2 >= numbers.count {
            numbers.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes a number; returns whether it was in the queue.
    mutating func remove(_ number: Int) -> Bool {
        var (low, high) = (start, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        guard low < numbers.count, numbers[low] == number else { return false }
        numbers.remove(at: low)
        return true
    }
}
