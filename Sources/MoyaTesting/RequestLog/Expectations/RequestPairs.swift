/// A maximum matching of expectations and requests, in which each is used once.
struct RequestPairs {
    /// The expectations without a request.
    let missing: [ExpectedRequest]
    /// The requests without an expectation.
    let unexpected: [CapturedRequest]

    init(_ expected: [ExpectedRequest], _ requests: [CapturedRequest]) {
        let candidates = expected.map { expected in requests.indices.filter { requests[$0].matches(expected) } }
        var owners: [Int: Int] = [:]
        var missing: [ExpectedRequest] = []
        for index in expected.indices {
            var tried: Set<Int> = []
            if !Self.place(index, candidates, &owners, &tried) { missing.append(expected[index]) }
        }
        self.missing = missing
        unexpected = requests.indices.filter { owners[$0] == nil }.map { requests[$0] }
    }

    /// Finds a request for an expectation, and reassigns others if necessary (an augmenting path).
    private static func place(
        _ index: Int,
        _ candidates: [[Int]],
        _ owners: inout [Int: Int],
        _ tried: inout Set<Int>
    ) -> Bool {
        if let free = candidates[index].first(where: { owners[$0] == nil }) {
            owners[free] = index
            return true
        }
        for candidate in candidates[index] where tried.insert(candidate).inserted {
            guard let owner = owners[candidate], place(owner, candidates, &owners, &tried) else { continue }
            owners[candidate] = index
            return true
        }
        return false
    }
}
