import Foundation

/// The description of a request, and of its stubbed response, before the `URLRequest` is created.
///
/// A provider creates an endpoint from each target; give it an `endpointClosure` to add headers or to change the
/// task.
open class Endpoint {
    /// Returns a stub's response; called when the stub fires.
    @preconcurrency
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL as text, escaped.
    public let url: String
    /// Returns a stub's response.
    public let sampleResponseClosure: SampleResponseClosure
    /// The HTTP method.
    public let method: Moya.Method
    /// The content that the request sends.
    public let task: HTTPTask
    /// The headers.
    ///
    /// Each name is sent once. If names differ only in case, the name that was added last is sent. If one dictionary contains such
    /// names, their last one in the order of code points is sent; lower case letters follow upper case letters in this order.
    public let httpHeaderFields: [String: String]?
    /// The time in seconds after which the request fails if nothing is sent or received; `nil` for the session's timeout.
    public let timeoutInterval: TimeInterval?
    /// How the session's cache is used.
    public let cachePolicy: URLRequest.CachePolicy
    /// The names of headers that ``adding(newHTTPHeaderFields:)`` has replaced by names in another case.
    private let supersededNames: Set<String>

    /// Creates an endpoint with the session's timeout.
    @preconcurrency
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: Moya.Method,
        task: HTTPTask,
        httpHeaderFields: [String: String]? = nil
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
        self.timeoutInterval = nil
        cachePolicy = .useProtocolCachePolicy
        supersededNames = []
    }

    // This initializer is separate, because subclasses override the other one.
    /// Creates an endpoint with a timeout and a cache policy.
    @preconcurrency
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: Moya.Method,
        task: HTTPTask,
        httpHeaderFields: [String: String]? = nil,
        timeoutInterval: TimeInterval?,
        cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
        self.timeoutInterval = timeoutInterval
        self.cachePolicy = cachePolicy
        supersededNames = []
    }

    private init(_ other: Endpoint, task: HTTPTask, httpHeaderFields: [String: String]?, supersededNames: Set<String>) {
        url = other.url
        sampleResponseClosure = other.sampleResponseClosure
        method = other.method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
        timeoutInterval = other.timeoutInterval
        cachePolicy = other.cachePolicy
        self.supersededNames = supersededNames
    }

    /// Returns a copy with additional headers.
    ///
    /// The new headers replace existing ones with the same name. ``httpHeaderFields`` keeps names that differ only in
    /// case, and the new one is sent.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else {
            return Endpoint(self, task: task, httpHeaderFields: httpHeaderFields, supersededNames: supersededNames)
        }
        let merged = (httpHeaderFields ?? [:]).merging(newHTTPHeaderFields) { _, new in new }
        var superseded = supersededNames
        if UniqueFieldNames.canContainDuplicates(merged.keys) {
            let names = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
            superseded.formUnion(merged.keys.filter { names.contains($0.lowercased()) })
            superseded.subtract(newHTTPHeaderFields.keys)
        }
        return Endpoint(self, task: task, httpHeaderFields: merged, supersededNames: superseded)
    }

    /// Returns a copy with another task.
    open func replacing(task: HTTPTask) -> Endpoint {
        Endpoint(self, task: task, httpHeaderFields: httpHeaderFields, supersededNames: supersededNames)
    }

    /// The headers that are sent, and the names that were added together and differ only in case.
    var uniqueHeaders: UniqueFieldNames? {
        guard let httpHeaderFields, UniqueFieldNames.canContainDuplicates(httpHeaderFields.keys) else { return nil }
        return UniqueFieldNames(httpHeaderFields.filter { !supersededNames.contains($0.key) })
    }

    /// The headers that are sent: ``httpHeaderFields`` with each name once.
    package var sentHeaderFields: [String: String]? { uniqueHeaders?.fields ?? httpHeaderFields }
}

// Unchecked because the compiler cannot check an open class: every property here is constant and Sendable, and
// subclasses are responsible for theirs. As with MoyaProvider, there is no conformance in Swift 5 mode.
@available(swift, introduced: 6.0)
extension Endpoint: @unchecked Sendable {}

extension Endpoint: Equatable, Hashable {
    /// Hashes the request, or the URL's text if no request can be created, and the streamed content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }

    /// Returns whether both endpoints send the same request.
    ///
    /// The requests and the streamed files or forms must be equal. If neither request can be created, the URLs' texts
    /// are compared instead of the requests. The destination of a download is not compared.
    ///
    /// Requests are compared by their parameters, regardless of the order in which an encoder writes keys. A custom
    /// ``ParameterEncoding`` is compared by its type, its properties and the parameters; an encoding that holds a closure is
    /// compared by its output.
    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        lhs.identity == rhs.identity
    }

    /// The value by which endpoints are compared.
    ///
    /// Creating it runs the application's encoders and encodings.
    enum Identity: Hashable, Sendable {
        // Foundation's own comparison ignores bodies and headers on some platforms.
        case request(
            URLRequest,
            body: Data?,
            headers: [String: String]?,
            streamed: StreamedContent?,
            unwritten: [ValueIdentity]
        )
        case url(String, streamed: StreamedContent?)
    }

    var identity: Identity {
        let streamed = task.streamedContent
        var unwritten: [ValueIdentity] = []
        let task = task.canonical(&unwritten)
        guard let request = try? urlRequest(sending: task) else { return .url(url, streamed: streamed) }
        return .request(
            request,
            body: request.httpBody,
            headers: request.allHTTPHeaderFields,
            streamed: streamed,
            unwritten: unwritten
        )
    }
}

extension Endpoint {
    /// Creates the request.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` with ``url`` if it is not a valid URL,
    ///   ``MoyaError/encodableMapping(_:)`` if a value cannot be encoded, ``MoyaError/parameterEncoding(_:)`` if the
    ///   parameters cannot be encoded.
    public func urlRequest() throws -> URLRequest { try urlRequest(sending: task) }

    /// Creates the request with a task in place of the endpoint's task.
    func urlRequest(sending task: HTTPTask) throws -> URLRequest {
        guard let requestURL = ParsedURLs.recent.url(url) else {
            throw MoyaError.requestMapping(url)
        }
        var request = URLRequest(url: requestURL)
        // A new request already has these defaults. On Linux, setting them again doubles the cost of creating the
        // request.
        if method != .get { request.httpMethod = method.rawValue }
        let headers = sentHeaderFields
        if let headers { request.allHTTPHeaderFields = headers }
        if let timeoutInterval {
            // Foundation treats exactly 60 seconds, its default, as unset, and uses the session's timeout instead.
            request.timeoutInterval = timeoutInterval == 60 ? timeoutInterval.nextUp : timeoutInterval
        }
        if cachePolicy != .useProtocolCachePolicy { request.cachePolicy = cachePolicy }
        // A plain task changes no header.
        if case .requestPlain = task { return request }
        try task.encode(into: &request)
        request.removeSupersededHeaders(after: { headers })
        return request
    }
}
