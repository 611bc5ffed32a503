import Foundation

/// What an endpoint asks of the session beyond the request.
enum Transfer: Sendable {
    /// Nothing: the request holds all that is sent, and the answer is data.
    case request
    /// A body that is streamed; the answer is data.
    case upload(HTTPBody, contentType: String?)
    /// The answer goes into a file.
    case download(DownloadDestination)
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
    fileprivate func transfer(method: Moya.Method) throws(MoyaError) -> Transfer {
        switch self {
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .requestCompositeData,
            .requestCompositeParameters:
            return .request
        case .requestParameters:
            return try ExtendedTask(of: self)?.transfer(method: method) ?? .request
        case .uploadFile(let file):
            return .upload(.file(file), contentType: nil)
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
            return .upload(body, contentType: nil)
        case .gzipped(let task):
            guard case .upload(let body, let contentType) = try task.transfer(method: method) else {
                return try task.transfer(method: method)
            }
            return .upload(body.gzipped(), contentType: contentType)
        }
    }
}
