import Foundation
import Moya

extension SeenRequest {
    /// Whether the request is as expected.
    ///
    ///     transport.requests.filter { $0.matches(.post("/users")) }
    public func matches(_ expected: ExpectedRequest) -> Bool { expected.isMet(by: self) }

    /// Checks that the request is as expected.
    ///
    /// - Throws: ``RequestMismatch`` with the difference.
    public func expect(_ expected: ExpectedRequest, fileID: String = #fileID, line: Int = #line) throws {
        try [self].expect(expected, fileID: fileID, line: line)
    }
}

/// Checks for tests. They throw, so that the failure has the whole difference in Swift Testing and in XCTest; the test
/// function says `throws`.
extension Sequence where Element == SeenRequest {
    /// The requests that a target caused.
    ///
    ///     try transport.requests.to(GitHub.zen).expect(.get("/zen"), times: 2)
    public func to(_ target: some TargetType & Equatable) -> [SeenRequest] {
        filter { ExpectedRequest.target(target).isMet(by: $0) }
    }

    /// Checks that there is a request that is as expected.
    ///
    ///     try transport.requests.expect(.post("/users").query("page", "2").json(["name": "Ann"]))
    ///
    /// - Returns: The first one.
    /// - Throws: ``RequestMismatch``, with the request that comes nearest, and the difference.
    @discardableResult
    public func expect(
        _ expected: ExpectedRequest,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> SeenRequest {
        let requests = Array(self)
        guard let found = requests.first(where: { $0.matches(expected) }) else {
            throw RequestMismatch(noneIs: expected, in: requests).at(fileID, line)
        }
        return found
    }

    /// Checks that so many requests are as expected.
    ///
    /// - Returns: All of them.
    /// - Throws: ``RequestMismatch``.
    @discardableResult
    public func expect(
        _ expected: ExpectedRequest,
        times: Int,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> [SeenRequest] {
        let requests = Array(self)
        let found = requests.filter { $0.matches(expected) }
        if found.count == times, expected.mistake == nil { return found }
        if found.isEmpty { throw RequestMismatch(noneIs: expected, in: requests).at(fileID, line) }
        throw RequestMismatch(
            .count(expected: times, found: found.count),
            expected: expected,
            in: found
        ).at(fileID, line)
    }

    /// Checks that no request is as this one: by default that there is none at all.
    ///
    /// - Throws: ``RequestMismatch``, with the first that is.
    public func expectNone(_ expected: ExpectedRequest = .any, fileID: String = #fileID, line: Int = #line) throws {
        let requests = Array(self)
        if expected.mistake != nil { throw RequestMismatch(noneIs: expected, in: requests).at(fileID, line) }
        guard let found = requests.first(where: { $0.matches(expected) }) else { return }
        throw RequestMismatch(.unexpected, expected: expected, request: found, in: requests).at(fileID, line)
    }

    /// Checks that the requests are these, in this order, and no others.
    ///
    ///     try transport.requests.expect(inOrder: .get("/token"), .post("/users"))
    ///
    /// - Throws: ``RequestMismatch``, with the first place that is wrong.
    public func expect(inOrder expected: ExpectedRequest..., fileID: String = #fileID, line: Int = #line) throws {
        let requests = Array(self)
        for (request, expected) in zip(requests, expected) where !request.matches(expected) {
            let nearest = expected.nearest(in: [request])
            throw RequestMismatch(
                expected.mistake.map { .invalid($0) } ?? .outOfOrder,
                expected: expected,
                request: request,
                differences: nearest?.differences ?? [],
                in: requests
            ).at(fileID, line)
        }
        let (missing, unexpected) = (expected.dropFirst(requests.count), requests.dropFirst(expected.count))
        try requests.check(missing.first, unexpected.first, fileID, line)
    }

    /// Checks that the requests are these, in any order, and no others.
    ///
    /// - Throws: ``RequestMismatch``, with the first that is not there, or is and should not be.
    public func expect(inAnyOrder expected: ExpectedRequest..., fileID: String = #fileID, line: Int = #line) throws {
        let requests = Array(self)
        let pairs = RequestPairs(expected, requests)
        if let missing = pairs.missing.first, !pairs.unexpected.isEmpty {
            // Compared with what nothing else is expected to be.
            throw RequestMismatch(noneIs: missing, in: pairs.unexpected).at(fileID, line)
        }
        try requests.check(pairs.missing.first, pairs.unexpected.first, fileID, line)
    }
}

extension [SeenRequest] {
    /// Checks that nothing is left over.
    fileprivate func check(
        _ missing: ExpectedRequest?,
        _ unexpected: SeenRequest?,
        _ fileID: String,
        _ line: Int
    ) throws {
        if let missing {
            throw RequestMismatch(
                missing.mistake.map { .invalid($0) } ?? .missing,
                expected: missing,
                in: self
            ).at(fileID, line)
        }
        if let unexpected {
            throw RequestMismatch(.unexpected, expected: nil, request: unexpected, in: self).at(fileID, line)
        }
    }
}
