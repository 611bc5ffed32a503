import Foundation

/// What an endpoint asks of the session beyond the request.
enum Transfer: Sendable {
    /// Nothing: the request holds all that is sent, and the answer is data.
    case request
    /// A body that is streamed, and the form that it was made of; the answer is data.
    case upload(HTTPBody, form: MultipartBody?)
    /// The answer goes into a file.
    case download(DownloadDestination)

    /// What is sent in place of a body in the request, for a `curl` command.
    var curlContent: CURLCommand.Content? {
        guard case .upload(let body, let form) = self else { return nil }
        return form.map { .form($0, body: body) } ?? .body(body)
    }
}

extension URLRequest {
    /// Says that a form is sent, if one is; whatever the target says.
    mutating func setContentType(of transfer: Transfer) {
        // On Linux to change a request without a URL ends the process.
        guard url != nil, case .upload(_, let form?) = transfer else { return }
        setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
}

extension Endpoint {
    /// What to ask of the session beyond the request.
    ///
    /// - Throws: ``MoyaError/parameterEncoding(_:)`` for a form that cannot be sent.
    func transfer() throws(MoyaError) -> Transfer {
        try task.transfer(method: method)
    }
}

extension HTTPTask {
    /// What to ask of the session beyond the request.
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
