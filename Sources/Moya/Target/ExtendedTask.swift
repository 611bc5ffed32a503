import Foundation

/// The features of ``HTTPTask`` that are not cases.
///
/// Applications switch over the cases, so an additional case would break them. New features are therefore stored
/// as the encoding of ``HTTPTask/requestParameters(parameters:encoding:)``. Parameters that an endpoint closure adds to
/// that case are sent, too.
struct ExtendedTask: Sendable {
    indirect enum Kind: Sendable {
        /// A body of any kind, with the content type for requests that have none.
        case body(HTTPBody, contentType: String?)
        /// A multipart form with this boundary.
        case form([MultipartFormData], boundary: String)
        /// The content of another task, compressed.
        case gzipped(HTTPTask)
        /// The content of another task, and parameters in the URL's query, which the encoding writes there.
        case query(HTTPTask, [String: any Sendable], any ParameterEncoding)
        /// The content of another task, sent to the location of a page of a list.
        case page(HTTPTask, PagePosition.Location)
        /// The content of another task, sent to the URL of a reference.
        case reference(HTTPTask, URLReference)
    }

    let kind: Kind

    /// Creates the extension of a task; `nil` if it has none.
    init?(of task: HTTPTask) {
        guard case .requestParameters(_, let encoding as ExtendedTask) = task else { return nil }
        self = encoding
    }

    private init(_ kind: Kind) { self.kind = kind }

    static func request(_ kind: Kind, _ parameters: [String: any Sendable] = [:]) -> HTTPTask {
        .requestParameters(parameters: parameters, encoding: ExtendedTask(kind))
    }
}

extension HTTPTask {
    /// Streams a body of any kind: an async sequence, a file, or bytes.
    ///
    ///     .uploadBody(.sequence(samples), contentType: "application/octet-stream")
    ///
    /// A sequence or an input stream can be read once, so such a task can be used for one request only.
    ///
    /// - Parameters:
    ///   - body: The body. If its length is unknown it is sent in chunks (RFC 9112, section 7.1).
    ///   - contentType: The content type, unless the target's headers have one.
    /// - Returns: The task.
    public static func uploadBody(_ body: HTTPBody, contentType: String? = nil) -> HTTPTask {
        ExtendedTask.request(.body(body, contentType: contentType))
    }

    /// Streams a multipart form of these parts with a given boundary.
    ///
    /// Prefer the case ``uploadMultipart(_:)``, whose boundary is random. Parameters in
    /// the URL's query are added by ``adding(query:encoding:)``.
    ///
    /// - Parameters:
    ///   - parts: The parts, in the order in which they are sent.
    ///   - boundary: The boundary between the parts (RFC 2046, section 5.1.1). A request whose parts contain it fails: with
    ///     ``MultipartError`` for data, with ``RequestBodyError`` for files and streams, which are checked while they are sent.
    /// - Returns: The task.
    @_disfavoredOverload
    public static func uploadMultipart(_ parts: [MultipartFormData], boundary: String) -> HTTPTask {
        ExtendedTask.request(.form(parts, boundary: boundary))
    }

    /// Compresses the body of a task with `Content-Encoding: gzip` (RFC 9110, section 8.4.1.3).
    ///
    /// Use it for servers that are known to accept it. A task without a body is sent unchanged. Streamed bodies are
    /// compressed while they are sent, in chunks, as their length is not known in advance. A task that is gzipped
    /// already is returned unchanged.
    public static func gzipped(_ task: HTTPTask) -> HTTPTask {
        if case .gzipped? = ExtendedTask(of: task)?.kind { return task }
        return ExtendedTask.request(.gzipped(task))
    }

    /// Returns the same task with additional parameters in the URL's query, after the task's parameters.
    ///
    ///     .requestJSONEncodable(issue).adding(query: ["notify": true])
    ///
    /// - Parameters:
    ///   - query: The parameters; `nil` values are omitted.
    ///   - encoding: How arrays and Booleans are written; its destination is ignored.
    /// - Returns: The task.
    @preconcurrency
    public func adding(query: [String: any Sendable], encoding: URLEncoding = .queryString) -> HTTPTask {
        let encoding = URLEncoding(
            destination: .queryString,
            arrayEncoding: encoding.arrayEncoding,
            boolEncoding: encoding.boolEncoding
        )
        return ExtendedTask.request(.query(self, query, encoding))
    }

    /// Returns the same task with the fields in the URL's query, after the task's parameters.
    ///
    /// - Parameters:
    ///   - query: The fields.
    ///   - style: How arrays and Booleans are written.
    /// - Returns: The task.
    package func adding(query: ParameterFields, style: URLEncoding) -> HTTPTask {
        let encoding = EncodableFormEncoding(query, encoder: URLEncodedFormEncoder(style), destination: .queryString)
        return ExtendedTask.request(.query(self, [:], encoding))
    }

    /// Returns the task with another encoder, if it sends a value as JSON with the default encoder, or the declared one.
    package func encodingJSON(with encoder: JSONEncoder, replacing declared: JSONEncoder? = nil) -> HTTPTask {
        switch self {
        case .requestJSONEncodable(let value):
            return .requestCustomJSONEncodable(value, encoder: encoder)
        case .requestCustomJSONEncodable(let value, let own) where own === declared:
            return .requestCustomJSONEncodable(value, encoder: encoder)
        case .requestParameters(let parameters, _):
            switch ExtendedTask(of: self)?.kind {
            case .query(let task, let query, let encoding):
                return ExtendedTask.request(
                    .query(task.encodingJSON(with: encoder, replacing: declared), query, encoding),
                    parameters
                )
            case .gzipped(let task):
                return ExtendedTask.request(.gzipped(task.encodingJSON(with: encoder, replacing: declared)), parameters)
            case .page(let task, let location):
                return ExtendedTask.request(
                    .page(task.encodingJSON(with: encoder, replacing: declared), location),
                    parameters
                )
            case .reference(let task, let reference):
                return ExtendedTask.request(
                    .reference(task.encodingJSON(with: encoder, replacing: declared), reference),
                    parameters
                )
            case .body, .form, nil:
                return self
            }
        default:
            return self
        }
    }

    /// Returns the same task, sent to the location of a page of a list.
    func moved(to location: PagePosition.Location) -> HTTPTask { ExtendedTask.request(.page(self, location)) }

    /// Sends a value's properties as a form or in the URL's query.
    ///
    ///     .requestFormEncodable(Search(text: "moya", page: 2), destination: .queryString)
    ///
    /// - Parameters:
    ///   - value: A value with named properties: a structure, an object or a dictionary.
    ///   - encoder: How dates, data, names, `nil`s, arrays, Booleans and spaces are written.
    ///   - destination: Where the pairs are written.
    /// - Returns: The task.
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

    /// Downloads to a file whose name is known in advance.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - options: Whether to replace an existing file, to create folders, and to resume after interruptions.
    /// - Returns: The task.
    public static func download(to file: URL, options: DownloadRequest.Options = []) -> HTTPTask {
        .downloadDestination { _, _ in (file, options) }
    }

    /// Sends parameters, and downloads to a file whose name is known in advance.
    ///
    ///     .download(to: file, options: .removePreviousFile, parameters: ["format": "pdf"])
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - options: Whether to replace an existing file, to create folders, and to resume after interruptions.
    ///   - parameters: The parameters; `nil` values are omitted.
    ///   - encoding: Writes the parameters into the query or the body.
    /// - Returns: The task.
    @preconcurrency
    public static func download(
        to file: URL,
        options: DownloadRequest.Options = [],
        parameters: [String: any Sendable],
        encoding: any ParameterEncoding = URLEncoding.default
    ) -> HTTPTask {
        .downloadParameters(parameters: parameters, encoding: encoding) { _, _ in (file, options) }
    }
}
