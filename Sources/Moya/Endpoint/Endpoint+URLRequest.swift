import Foundation

extension Endpoint {
    /// Makes the request.
    ///
    /// - Throws: ``MoyaError/requestMapping(_:)`` with ``url`` if that is no URL,
    ///   ``MoyaError/encodableMapping(_:)`` if a value cannot be encoded, ``MoyaError/parameterEncoding(_:)`` if the
    ///   parameters cannot.
    public func urlRequest() throws -> URLRequest {
        guard let requestURL = URL(strictly: url) else {
            throw MoyaError.requestMapping(url)
        }
        var request = URLRequest(url: requestURL)
        request.httpMethod = method.rawValue
        request.allHTTPHeaderFields = httpHeaderFields

        switch task {
        case .requestPlain:
            break
        case .requestData(let data):
            request.httpBody = data
        case .requestJSONEncodable(let value):
            try request.encode(value, with: JSONEncoder())
        case .requestCustomJSONEncodable(let value, let encoder):
            try request.encode(value, with: encoder)
        case .requestParameters(let parameters, let encoding):
            try request.encode(parameters, with: encoding)
        case .requestCompositeData(let bodyData, let urlParameters):
            request.httpBody = bodyData
            try request.encode(urlParameters, with: URLEncoding.queryString)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            if let encoding = bodyEncoding as? URLEncoding, !encoding.isForBody {
                throw MoyaError.parameterEncoding(TargetMisuse.bodyEncodingIsForURL)
            }
            try request.encode(bodyParameters, with: bodyEncoding)
            try request.encode(urlParameters, with: URLEncoding.queryString)
        }
        return request
    }
}

extension URL {
    /// A URL from text that is one already: current Foundation would escape what is not.
    fileprivate init?(strictly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            // Older systems know no other way.
            self.init(string: text)
        }
    }
}

extension URLRequest {
    fileprivate mutating func encode(_ value: any Encodable, with encoder: JSONEncoder) throws {
        do {
            httpBody = try encoder.encode(value)
        } catch {
            throw MoyaError.encodableMapping(error)
        }
        setContentTypeIfAbsent("application/json")
    }

    fileprivate mutating func encode(_ parameters: Parameters, with encoding: any ParameterEncoding) throws {
        do {
            self = try encoding.encode(self, with: parameters)
        } catch {
            throw MoyaError.parameterEncoding(error)
        }
    }
}

extension URLEncoding {
    fileprivate var isForBody: Bool {
        if case .httpBody = destination { true } else { false }
    }
}
