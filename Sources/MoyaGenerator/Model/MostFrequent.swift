extension Collection where Element: Hashable {
    /// The most frequent element, and the first of several; `nil` for an empty collection.
    var mostFrequent: Element? {
        var counts: [Element: Int] = [:]
        for element in self { counts[element, default: 0] += 1 }
        let highest = counts.values.max() ?? 0
        return first { counts[$0] == highest }
    }
}
