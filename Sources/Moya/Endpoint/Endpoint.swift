import Foundation

/// A request before it is one: what a target says, and what a stub for it would answer.
///
/// A provider makes one from each target; give it an `endpointClosure` to add headers or change the task on the way.
open class Endpoint {
    /// Gives what a stub answers. It is called when the stub fires.
    @preconcurrency
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL as text, escaped.
    public let url: String
    /// Gives what a stub answers.
    public let sampleResponseClosure: SampleResponseClosure
    /// The HTTP method.
    public let method: Moya.Method
    /// What is sent.
    public let task: HTTPTask
    /// The headers.
    public let httpHeaderFields: [String: String]?

    /// Makes an endpoint.
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
    }

    /// A copy with these headers as well. They win over headers spelt alike; names are compared as they are written.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else { return copy(task: task, httpHeaderFields: httpHeaderFields) }
        let merged = (httpHeaderFields ?? [:]).merging(newHTTPHeaderFields) { _, new in new }
        return copy(task: task, httpHeaderFields: merged)
    }

    /// A copy that sends something else.
    open func replacing(task: HTTPTask) -> Endpoint { copy(task: task, httpHeaderFields: httpHeaderFields) }

    private func copy(task: HTTPTask, httpHeaderFields: [String: String]?) -> Endpoint {
        Endpoint(
            url: url,
            sampleResponseClosure: sampleResponseClosure,
            method: method,
            task: task,
            httpHeaderFields: httpHeaderFields
        )
    }
}

// Unchecked because a class that can be inherited from cannot be checked: every property here is constant and Sendable,
// and a subclass answers for its own. As with MoyaProvider, Swift 5 mode does without.
@available(swift, introduced: 6.0)
extension Endpoint: @unchecked Sendable {}

extension Endpoint: Equatable, Hashable {
    /// Hashes the request, or the URL's text where no request can be made, and what is streamed besides.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }

    /// Whether both send the same: the requests are equal, or, where neither can be made, the URLs' texts are; and so are
    /// the file or the form that is streamed. Where a download goes does not matter.
    ///
    /// Requests are compared by their parameters, whatever the order in which an encoder writes keys. A ``ParameterEncoding``
    /// of your own is compared by its type and its properties, and with it the parameters are; one that holds a closure by
    /// what it writes.
    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        lhs.identity == rhs.identity
    }

    /// What endpoints are compared by. To make it runs encoders and encodings of the application.
    enum Identity: Hashable, Sendable {
        // Foundation's own comparison leaves bodies and headers out on some platforms.
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
