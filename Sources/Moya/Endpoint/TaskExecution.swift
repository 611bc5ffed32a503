import Foundation

/// The way in which a task is executed, besides the request that it creates.
enum TaskExecution: Sendable {
    /// The request holds everything that is sent, and the response's body is kept in memory.
    case request
    /// Streams a body, with the form that it was created from; the response's body is kept in memory.
    case upload(HTTPBody, form: MultipartBody?)
    /// Writes the response's body to a file.
    case download(DownloadDestination)
    /// Fails after the plugins' `willSend`, because a form that cannot be written is an error of sending.
    case failure(MultipartError)

    /// The body of an upload; `nil` for the other cases.
    var uploadBody: HTTPBody? { if case .upload(let body, _) = self { body } else { nil } }

    /// Whether the execution fails before anything is sent.
    var isFailure: Bool { if case .failure = self { true } else { false } }

    /// The content that a `curl` command sends in place of the request's body.
    var curlContent: CURLCommand.Content? {
        guard case .upload(let body, let form) = self else { return nil }
        return form.map { .form($0, body: body) } ?? .body(body)
    }
}

extension URLRequest {
    /// Sets the content type of the form that is sent, if any; it replaces the target's.
    mutating func setContentType(of execution: TaskExecution) {
        // On Linux, changing a request without a URL traps.
        guard case .upload(_, let form?) = execution, url != nil else { return }
        setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
}

extension Endpoint {
    /// Returns the execution of the endpoint's task.
    ///
    /// - Throws: ``MoyaError/parameterEncoding(_:)`` for a form without parts, or with a method that does not support forms.
    func execution() throws(MoyaError) -> TaskExecution {
        try task.execution(method: method)
    }
}

extension HTTPTask {
    /// Returns the execution of the task.
    func execution(method: Moya.Method) throws(MoyaError) -> TaskExecution {
        if let downloadDestination { return .download(downloadDestination) }
        let execution: TaskExecution =
            switch streamedContent {
            case .file(let file): .upload(.file(file), form: nil)
            case .form(let parts, let boundary): try .form(parts, boundary: boundary, method: method)
            case .body(let body): .upload(body, form: nil)
            case nil: .request
            }
        guard isGzipped, case .upload(let body, let form) = execution else { return execution }
        return .upload(body.gzipped(), form: form)
    }

    /// The destination of the response's body; `nil` if it is kept in memory.
    private var downloadDestination: DownloadDestination? {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: ExtendedTask(of: self)?.innerTask?.downloadDestination
        }
    }

    /// Whether the response's body is written to a file.
    var isDownload: Bool { downloadDestination != nil }

    /// Whether the content is compressed.
    private var isGzipped: Bool {
        guard let extended = ExtendedTask(of: self) else { return false }
        if case .gzipped = extended.kind { return true }
        return extended.innerTask?.isGzipped ?? false
    }
}

extension ExtendedTask {
    /// The task that is extended; `nil` for a body or a form.
    fileprivate var innerTask: HTTPTask? {
        switch kind {
        case .gzipped(let task), .query(let task, _, _), .page(let task, _), .reference(let task, _): task
        case .body, .form: nil
        }
    }
}

extension TaskExecution {
    /// Returns the upload that streams a multipart form, or the failure if it cannot be written.
    ///
    /// - Throws: ``MoyaError/parameterEncoding(_:)`` with ``TargetMisuse``.
    fileprivate static func form(
        _ parts: [MultipartFormData],
        boundary: String?,
        method: Moya.Method
    ) throws(MoyaError) -> TaskExecution {
        guard !parts.isEmpty else { throw .parameterEncoding(TargetMisuse.formHasNoParts) }
        guard method.supportsMultipart else { throw .parameterEncoding(TargetMisuse.methodTakesNoForm(method)) }
        do throws(MultipartError) {
            let form = MultipartBody(
                boundary: boundary,
                parts: try parts.map { part throws(MultipartError) in try part.encoded() }
            )
            return .upload(try form.body(), form: form)
        } catch {
            return .failure(error)
        }
    }
}

extension MultipartFormData {
    fileprivate func encoded() throws(MultipartError) -> MultipartBody.Part {
        if let body = provider.carriedBody { return part(body) }
        return switch provider {
        case .data(let data):
            part(.data(data))
        case .file(let file):
            // As in Moya 15, the file name and the media type are used together or not at all.
            if fileName != nil, mimeType != nil { part(.file(file)) } else { try .init(name: name, file: file) }
        case .stream(let stream, let length):
            part(.stream(stream, length: Int64(clamping: length)))
        }
    }

    private func part(_ body: HTTPBody) -> MultipartBody.Part {
        MultipartBody.Part(name: name, fileName: fileName, mimeType: mimeType, body: body)
    }
}

extension TargetMisuse {
    fileprivate static let formHasNoParts = TargetMisuse(
        target: nil,
        property: "task",
        problem: "its multipart form has no parts",
        remedy: "give it at least one part, or use another task"
    )

    fileprivate static func methodTakesNoForm(_ method: Moya.Method) -> TargetMisuse {
        TargetMisuse(
            target: nil,
            property: "method",
            problem: "a multipart form can't be sent with \(method.rawValue)",
            remedy: "use POST, PUT, PATCH or CONNECT"
        )
    }
}
