import Foundation
import Moya

extension CapturedRequest {
    /// Returns whether the request matches an expectation.
    ///
    ///     transport.requests.filter { $0.matches(.post("/users")) }
    public func matches(_ expected: ExpectedRequest) -> Bool { expected.isMet(by: self) }

    /// Checks that the request matches an expectation.
    ///
    /// - Throws: ``RequestMismatch`` with the differences.
    public func expect(_ expected: ExpectedRequest, fileID: String = #fileID, line: Int = #line) throws {
        try [self].expect(expected, fileID: fileID, line: line)
    }
}

// The checks throw errors, because both Swift Testing and XCTest report the complete text of an error.
extension Sequence where Element == CapturedRequest {
    /// Returns the requests that were created from a target.
    ///
    ///     try transport.requests.to(GitHub.zen).expect(.get("/zen"), times: 2)
    public func to(_ target: some TargetType & Equatable) -> [CapturedRequest] {
        filter { ExpectedRequest.target(target).isMet(by: $0) }
    }

    /// Checks that a request matches.
    ///
    ///     try transport.requests.expect(.post("/users").query("page", "2").json(["name": "Ann"]))
    ///
    /// - Returns: The first matching request.
    /// - Throws: ``RequestMismatch`` with the most similar request and its differences.
    @discardableResult
    public func expect(
        _ expected: ExpectedRequest,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> CapturedRequest {
        let requests = Array(self)
        guard let found = requests.first(where: { $0.matches(expected) }) else {
            throw RequestMismatch(noneIs: expected, in: requests).at(fileID, line)
        }
        return found
    }

    /// Checks that the given number of requests match.
    ///
    /// - Returns: The matching requests.
    /// - Throws: ``RequestMismatch``.
    @discardableResult
    public func expect(
        _ expected: ExpectedRequest,
        times: Int,
        fileID: String = #fileID,
        line: Int = #line
    ) throws -> [CapturedRequest] {
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

    /// Checks that no request matches; without an expectation, checks that there are no requests.
    ///
    /// - Throws: ``RequestMismatch`` with the first matching request.
    public func expectNone(_ expected: ExpectedRequest = .any, fileID: String = #fileID, line: Int = #line) throws {
        let requests = Array(self)
        if expected.mistake != nil { throw RequestMismatch(noneIs: expected, in: requests).at(fileID, line) }
        guard let found = requests.first(where: { $0.matches(expected) }) else { return }
        throw RequestMismatch(.unexpected, expected: expected, request: found, in: requests).at(fileID, line)
    }

    /// Checks that the requests match the expectations in order, with no other requests.
    ///
    ///     try transport.requests.expect(inOrder: .get("/token"), .post("/users"))
    ///
    /// - Throws: ``RequestMismatch`` for the first request that does not match.
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
        try requests.check(missing: missing.first, unexpected: unexpected.first, fileID: fileID, line: line)
    }

    /// Checks that the requests match the expectations in any order, with no other requests.
    ///
    /// - Throws: ``RequestMismatch`` for the first missing or unexpected request.
    public func expect(inAnyOrder expected: ExpectedRequest..., fileID: String = #fileID, line: Int = #line) throws {
        let requests = Array(self)
        let pairs = RequestPairs(expected, requests)
        if let missing = pairs.missing.first, !pairs.unexpected.isEmpty {
            // The expectation is compared only with requests that match no other expectation.
            throw RequestMismatch(noneIs: missing, in: pairs.unexpected).at(fileID, line)
        }
        try requests.check(missing: pairs.missing.first, unexpected: pairs.unexpected.first, fileID: fileID, line: line)
    }
}

extension [CapturedRequest] {
    /// Throws if an expectation has no request or a request has no expectation.
    fileprivate func check(
        missing: ExpectedRequest?,
        unexpected: CapturedRequest?,
        fileID: String,
        line: Int
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
