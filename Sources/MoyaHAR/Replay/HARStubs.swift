import Foundation
import Moya

/// Stubs that respond from a HAR file, for previews, demos and tests without a network and without code for each
/// target.
///
///     let stubs = HARStubs(Bundle.main.url(forResource: "demo", withExtension: "har"))
///     let provider = MoyaProvider<GitHub>(
///         endpointClosure: stubs.endpointClosure,
///         stubClosure: MoyaProvider.immediatelyStub
///     )
///
/// A single target can use `var sampleData: Data { stubs.sampleData(for: self) }`.
///
/// The file can be recorded by ``HARRecorder`` or exported by a browser. Targets are matched by method, URL and body;
/// redirects in the file are followed. A target without a matching entry fails with a `URLError` of code
/// `resourceUnavailable` (as `NSError`, like all errors of stubs), whose underlying error is a ``HARMismatch``, or
/// the ``HARError`` of a file that cannot be read.
public struct HARStubs: Sendable {
    private let matcher: Result<HARMatcher, HARError>

    /// Creates stubs that respond from a file; if it cannot be read, every stub fails with the error.
    ///
    /// - Parameters:
    ///   - file: The URL of the file; `nil`, as for a missing resource of a bundle, is a missing file.
    ///   - matching: The parts to compare. Its ``HARMatching/order`` and ``HARMatching/repeats`` are ignored: each request is matched
    ///     independently.
    public init(_ file: URL?, matching: HARMatching = HARMatching()) {
        matcher = Result { () throws(HARError) in
            guard let file else { throw HARError(.missing) }
            return HARMatcher(try HAR(contentsOf: file), matching: matching)
        }
    }

    /// Creates stubs that respond from a recording.
    public init(_ har: HAR, matching: HARMatching = HARMatching()) {
        matcher = .success(HARMatcher(har, matching: matching))
    }

    /// Returns the target's default endpoint with a stub that responds from the file, for a provider's
    /// `endpointClosure`.
    @Sendable
    public func endpointClosure<Target: TargetType>(_ target: Target) -> Endpoint {
        answering(MoyaProvider<Target>.defaultEndpointMapping(for: target))
    }

    /// Returns the endpoint with a stub that responds from the file, for a custom `endpointClosure`.
    public func answering(_ endpoint: Endpoint) -> Endpoint {
        Endpoint(
            url: endpoint.url,
            sampleResponseClosure: { sampleResponse(for: endpoint) },
            method: endpoint.method,
            task: endpoint.task,
            httpHeaderFields: endpoint.sentHeaderFields,
            timeoutInterval: endpoint.timeoutInterval
        )
    }

    /// Returns the stub for an endpoint, for an `Endpoint`'s `sampleResponseClosure`.
    public func sampleResponse(for endpoint: Endpoint) -> EndpointSampleResponse {
        do {
            let request = try HAR.Request(endpoint)
            return try makeResponse(to: request, redirectsLeft: Self.maximumRedirects)
        } catch {
            return .networkError(Self.stubError(error))
        }
    }

    /// Returns the body of the response to a target; empty if no entry matches.
    public func sampleData<Target: TargetType>(for target: Target) -> Data {
        switch sampleResponse(for: MoyaProvider<Target>.defaultEndpointMapping(for: target)) {
        case .networkResponse(_, let data), .response(_, let data): data
        case .networkError: Data()
        }
    }

    private func makeResponse(to request: HAR.Request, redirectsLeft: Int) throws -> EndpointSampleResponse {
        let matcher = try matcher.get()
        let places = matcher.matches(for: request)
        // A failed exchange, a challenge or a 304 is used only if no other entry matches.
        let usual = places.first { !Self.unusualStatuses.contains(matcher.entries[$0].response.status) }
        guard let index = usual ?? places.first else { throw matcher.mismatch(for: request) }
        let entry = matcher.entries[index]
        guard (100...999).contains(entry.response.status) else {
            throw URLError.make(
                RecordedFailure.code(of: entry.response),
                url: URL(string: request.url),
                reason: entry.response.error
            )
        }
        if redirectsLeft > 0, let next = request.following(entry.response), !matcher.matches(for: next).isEmpty {
            return try makeResponse(to: next, redirectsLeft: redirectsLeft - 1)
        }
        let data = try entry.responseData(index: index)
        let head = SessionResponse(
            request: URLRequest(url: URL(string: request.url) ?? URL(fileURLWithPath: "/")),
            statusCode: entry.response.status,
            headers: HTTPFields(entry.response.headers)
        )
        guard let response = head.makeHTTPURLResponse() else {
            return .networkResponse(entry.response.status, data)
        }
        return .response(response, data)
    }

    private static let maximumRedirects = 20
    private static let unusualStatuses: Set<Int> = [0, 304, 401, 407]

    /// Converts an error to the `NSError` that a stub requires, with the cause as its underlying error.
    private static func stubError(_ error: any Error) -> NSError {
        if let error = error as? URLError { return error as NSError }
        return URLError.make(
            .resourceUnavailable,
            url: nil,
            reason: error.localizedDescription,
            cause: error
        ) as NSError
    }
}

extension HAR.Request {
    /// Creates the request of an endpoint; the body of an upload counts as unknown and is not compared.
    ///
    /// - Throws: `MoyaError` if the endpoint's request cannot be created.
    init(_ endpoint: Endpoint) throws {
        let request = try endpoint.urlRequest()
        let headers = request.headers.sorted().map { HAR.Field(name: $0.name, value: $0.value) }
        let url = String((request.url?.absoluteString ?? endpoint.url).prefix { $0 != "#" })
        self.init(
            method: request.httpMethod ?? endpoint.method.rawValue,
            url: url,
            headers: headers,
            queryString: URLParts(of: url).items.map { HAR.Field(name: $0.name, value: $0.value) }
        )
        if let body = request.httpBody {
            bodySize = Int64(body.count)
            postData = HAR.PostData(
                CapturedBody(body, limit: body.count),
                mimeType: headers.value(of: "Content-Type") ?? "",
                contentEncoding: headers.value(of: "Content-Encoding")
            )
        } else if case .requestPlain = endpoint.task {
            bodySize = 0
        } else {
            // The body counts as unknown, like a body that is not in the file.
            bodySize = .max
        }
    }

    /// Returns the request after a redirect (RFC 9110, section 15.4); `nil` for other responses.
    func following(_ response: HAR.Response) -> HAR.Request? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers.first(named: "Location").map({
                String(escapingInvalidUTF8: $0.fieldText.bytes)
            })
                ?? nonEmpty(response.redirectURL),
            let url = URL(string: location, relativeTo: URL(string: url))
        else { return nil }
        var next = self
        next.url = String(url.absoluteString.prefix { $0 != "#" })
        let becomesGet = response.status == 303 ? method != "HEAD" : response.status < 303 && method == "POST"
        if becomesGet { (next.method, next.postData, next.bodySize) = ("GET", nil, 0) }
        return next
    }

    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
