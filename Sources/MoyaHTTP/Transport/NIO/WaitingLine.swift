/// Ascending numbers, taken from the front.
struct WaitingLine: Sendable {
    private var numbers: [Int] = []
    /// Where the line begins: what is before it has been taken.
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

    /// Whether it was there.
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
