import Foundation
import MoyaJSON

extension HTTPTask {
    /// Writes the task's content into a request, unless it is streamed.
    ///
    /// - Throws: ``MoyaError/encodableMapping(_:)`` or ``MoyaError/parameterEncoding(_:)``.
    func encode(into request: inout URLRequest) throws {
        switch self {
        case .requestPlain, .uploadFile, .uploadMultipart, .downloadDestination:
            break
        case .requestData(let data):
            request.httpBody = data
        case .requestJSONEncodable(let value):
            try request.encode(value, with: JSONEncoder())
        case .requestCustomJSONEncodable(let value, let encoder):
            try request.encode(value, with: encoder)
        case .requestParameters(let parameters, let encoding), .downloadParameters(let parameters, let encoding, _):
            try request.encode(parameters, with: encoding)
        case .requestCompositeData(let bodyData, let urlParameters):
            request.httpBody = bodyData
            try request.encode(urlParameters, with: URLEncoding.queryString)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            if bodyEncoding.canWriteIntoURL {
                throw MoyaError.parameterEncoding(TargetMisuse.bodyEncodingIsForURL)
            }
            try request.encode(bodyParameters, with: bodyEncoding)
            try request.encode(urlParameters, with: URLEncoding.queryString)
        case .uploadCompositeMultipart(_, let urlParameters):
            try request.encode(urlParameters, with: URLEncoding.queryString)
        }
    }
}

extension ExtendedTask: ParameterEncoding {
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        // On Linux, changing a request without a URL traps.
        guard request.url != nil else { throw RequestValidationError.invalidURL("") }
        switch kind {
        case .body(_, let contentType):
            if let contentType { request.setContentTypeIfAbsent(contentType) }
            try HTTPTask.requestPlain.adding(parameters).encode(into: &request)
        case .form:
            try HTTPTask.requestPlain.adding(parameters).encode(into: &request)
        case .query(let task, let query, let encoding):
            try task.adding(parameters).encode(into: &request)
            return try encoding.encode(request, with: query)
        case .page(let task, let location):
            try task.adding(parameters).encode(into: &request)
            try request.move(to: location)
        case .reference(let task, let reference):
            try task.adding(parameters).encode(into: &request)
            try request.follow(reference)
        case .gzipped(let task):
            try task.adding(parameters).encode(into: &request)
            if let body = request.httpBody {
                request.httpBody = try GzipEncoder.encode(body)
            }
            if request.httpBody != nil || task.streamedContent != nil {
                // Codings are listed in the order in which they were applied (RFC 9110, section 8.4).
                let earlier = request.value(forHTTPHeaderField: "Content-Encoding").map { "\($0), " } ?? ""
                request.setValue(earlier + "gzip", forHTTPHeaderField: "Content-Encoding")
            }
        }
        return request
    }
}

extension HTTPTask {
    /// Returns the task with the parameters that an endpoint closure has added to the extended task around it.
    ///
    /// A closure that adds common parameters to each `requestParameters` also adds them to extended tasks. They are written where
    /// the task has its parameters, and otherwise into the URL's query.
    func adding(_ parameters: [String: any Sendable]?) -> HTTPTask {
        guard let parameters, !parameters.isEmpty else { return self }
        guard case .requestParameters(let own, let encoding) = self else {
            return adding(query: parameters)
        }
        return .requestParameters(parameters: own.merging(parameters) { _, new in new }, encoding: encoding)
    }
}

extension URLRequest {
    fileprivate mutating func encode(_ value: any Encodable, with encoder: JSONEncoder) throws {
        do {
            httpBody = try encoder.quicklyEncode(value)
        } catch {
            throw MoyaError.encodableMapping(error)
        }
        setContentTypeIfAbsent("application/json")
    }

    fileprivate mutating func encode(_ parameters: [String: any Sendable], with encoding: any ParameterEncoding) throws
    {
        do {
            self = try encoding.encode(self, with: parameters)
        } catch let error as MoyaError {
            // An extended task is an encoding that throws MoyaError itself.
            throw error
        } catch {
            throw MoyaError.parameterEncoding(error)
        }
    }
}

extension ParameterEncoding {
    /// Whether this is a built-in encoding that writes parameters into the query, always or for some methods.
    fileprivate var canWriteIntoURL: Bool {
        switch (self as? URLEncoding)?.destination ?? (self as? EncodableFormEncoding)?.destination {
        case .queryString, .methodDependent: true
        case .httpBody, nil: false
        }
    }
}
