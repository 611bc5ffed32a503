import Foundation

/// What ``HTTPTask`` can do besides its cases.
///
/// Applications switch over the cases, so that one more would break them. What is new therefore travels as the encoding of
/// a case that is there already.
struct ExtendedTask: Sendable {
    indirect enum Kind: Sendable {
        /// A body of any kind, with the content type that the request gets unless it has one.
        case body(HTTPBody, contentType: String?)
        /// What the task sends, compressed.
        case gzipped(HTTPTask)
        /// What the task sends, and parameters in the URL's query.
        case query(HTTPTask, [String: any Sendable], URLEncoding)
    }

    let kind: Kind

    /// What a task is besides its case.
    init?(of task: HTTPTask) {
        guard case .requestParameters(_, let encoding as ExtendedTask) = task else { return nil }
        self = encoding
    }

    private init(_ kind: Kind) { self.kind = kind }

    static func request(_ kind: Kind) -> HTTPTask {
        .requestParameters(parameters: [:], encoding: ExtendedTask(kind))
    }
}

extension HTTPTask {
    /// A body of any kind, streamed: an async sequence, a file, bytes.
    ///
    ///     .uploadBody(.sequence(samples), contentType: "application/octet-stream")
    ///
    /// A sequence or an input stream can be read once, so such a task is for one request.
    ///
    /// - Parameters:
    ///   - body: The body. Where its length is not known it is sent in chunks (RFC 9112, section 7.1).
    ///   - contentType: The content type, unless the target has one in its headers.
    public static func uploadBody(_ body: HTTPBody, contentType: String? = nil) -> HTTPTask {
        ExtendedTask.request(.body(body, contentType: contentType))
    }

    /// A task whose body is compressed on its way, with `Content-Encoding: gzip` (RFC 9110, section 8.4.1.3).
    ///
    /// Use it for servers that are known to take it. A task without a body is sent as it is; streamed bodies are compressed
    /// as they go and sent in chunks, as their length is not known in advance. Once is enough: a task that is gzipped already
    /// stays as it is.
    public static func gzipped(_ task: HTTPTask) -> HTTPTask {
        if case .gzipped? = ExtendedTask(of: task)?.kind { return task }
        return ExtendedTask.request(.gzipped(task))
    }

    /// The same task, and parameters in the URL's query, after those that it puts there itself.
    ///
    ///     .requestJSONEncodable(issue).adding(query: ["notify": true])
    ///
    /// - Parameters:
    ///   - query: The parameters. What is `nil` is left out.
    ///   - encoding: How they are written; where they go is the query in any case.
    @preconcurrency
    public func adding(query: [String: any Sendable], encoding: URLEncoding = .queryString) -> HTTPTask {
        let encoding = URLEncoding(
            destination: .queryString,
            arrayEncoding: encoding.arrayEncoding,
            boolEncoding: encoding.boolEncoding
        )
        return ExtendedTask.request(.query(self, query, encoding))
    }

    /// The same task, with another encoder for a value that it sends as JSON and has no encoder for.
    package func encodingJSON(with encoder: JSONEncoder) -> HTTPTask {
        switch self {
        case .requestJSONEncodable(let value):
            return .requestCustomJSONEncodable(value, encoder: encoder)
        case .requestParameters:
            switch ExtendedTask(of: self)?.kind {
            case .query(let task, let parameters, let encoding):
                return ExtendedTask.request(.query(task.encodingJSON(with: encoder), parameters, encoding))
            case .gzipped(let task):
                return ExtendedTask.request(.gzipped(task.encodingJSON(with: encoder)))
            case .body, nil:
                return self
            }
        default:
            return self
        }
    }

    /// Sends a value's properties as a form, or in the URL's query.
    ///
    ///     .requestFormEncodable(Search(text: "moya", page: 2), destination: .queryString)
    ///
    /// - Parameters:
    ///   - value: A value with names: a struct, a class or a dictionary.
    ///   - encoder: How dates, data, names, `nil`s, arrays, Booleans and spaces are written.
    ///   - destination: Where the pairs go.
    public static func requestFormEncodable(
        _ value: any Encodable & Sendable,
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncoding.Destination = .methodDependent
    ) -> HTTPTask {
        .requestParameters(
            parameters: [:],
            encoding: EncodableFormEncoding(value, encoder: encoder, destination: destination)
        )
    }

    /// Downloads into a file whose name is known in advance.
    ///
    /// - Parameters:
    ///   - file: Where the body goes: a file URL.
    ///   - options: What to do about a file that is there, folders that are not, and interruptions.
    public static func download(to file: URL, options: DownloadRequest.Options = []) -> HTTPTask {
        .downloadDestination { _, _ in (file, options) }
    }
}
