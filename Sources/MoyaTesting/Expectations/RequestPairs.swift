/// A maximum matching of expectations and requests, which uses each expectation and each request at most once.
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
            if !Self.assign(index, candidates: candidates, owners: &owners, tried: &tried) {
                missing.append(expected[index])
            }
        }
        self.missing = missing
        unexpected = requests.indices.filter { owners[$0] == nil }.map { requests[$0] }
    }

    /// Assigns a request to an expectation, reassigning the requests of other expectations if necessary (an augmenting path).
    ///
    /// Returns whether it found a request.
    private static func assign(
        _ index: Int,
        candidates: [[Int]],
        owners: inout [Int: Int],
        tried: inout Set<Int>
    ) -> Bool {
        if let free = candidates[index].first(where: { owners[$0] == nil }) {
            owners[free] = index
            return true
        }
        for candidate in candidates[index] where tried.insert(candidate).inserted {
            guard let owner = owners[candidate],
                assign(owner, candidates: candidates, owners: &owners, tried: &tried)
            else { continue }
            owners[candidate] = index
            return true
        }
        return false
    }
}
