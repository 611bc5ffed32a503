import Foundation

/// What the session must do besides sending the request.
enum Transfer: Sendable {
    /// Nothing: the request holds everything that is sent, and the response's body is kept in memory.
    case request
    /// Streams a body, with the form that it was created from; the response's body is kept in memory.
    case upload(HTTPBody, form: MultipartBody?)
    /// Writes the response's body to a file.
    case download(DownloadDestination)

    /// The content that a `curl` command sends in place of the request's body.
    var curlContent: CURLCommand.Content? {
        guard case .upload(let body, let form) = self else { return nil }
        return form.map { .form($0, body: body) } ?? .body(body)
    }
}

extension URLRequest {
    /// Sets the content type of the form that is sent, if any; it replaces the target's.
    mutating func setContentType(of transfer: Transfer) {
        // On Linux, changing a request without a URL traps.
        guard url != nil, case .upload(_, let form?) = transfer else { return }
        setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
}

extension Endpoint {
    /// Returns what the session must do besides sending the request.
    ///
    /// - Throws: ``MoyaError/parameterEncoding(_:)`` for a form that cannot be sent.
    func transfer() throws(MoyaError) -> Transfer {
        try task.transfer(method: method)
    }
}

extension HTTPTask {
    /// Returns what the session must do besides sending the request.
    func transfer(method: Moya.Method) throws(MoyaError) -> Transfer {
        switch self {
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .requestCompositeData,
            .requestCompositeParameters:
            return .request
        case .requestParameters:
            return try ExtendedTask(of: self)?.transfer(method: method) ?? .request
        case .uploadFile(let file):
            return .upload(.file(file), form: nil)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            return try form.transfer(method: method)
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _):
            return try MultipartFormData(parts: parts).transfer(method: method)
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination):
            return .download(destination)
        }
    }
}

extension ExtendedTask {
    fileprivate func transfer(method: Moya.Method) throws(MoyaError) -> Transfer {
        switch kind {
        case .body(let body, _):
            return .upload(body, form: nil)
        case .query(let task, _, _):
            return try task.transfer(method: method)
        case .gzipped(let task):
            guard case .upload(let body, let form) = try task.transfer(method: method) else {
                return try task.transfer(method: method)
            }
            return .upload(body.gzipped(), form: form)
        }
    }
}
