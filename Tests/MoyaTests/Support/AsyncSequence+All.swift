extension AsyncSequence {
    /// Returns all elements up to the end.
    func all() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
