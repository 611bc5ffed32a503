import Foundation

// If a mistake in a target caused the error, the description names the mistake.

extension MoyaError: MaskedError {
    /// A description of the error for people to read, in one or two sentences.
    ///
    /// It has the method and the URL of the request, if it was created; the status and the content type of the response, if there
    /// is one; and the place in the body at fault, or the beginning of the body. Secrets are masked.
    public var errorDescription: String? { masked(text { $0.localizedDescription }) }

    /// The text of `errorDescription`, with the description of a wrapped error that has no text for people.
    public var description: String { masked(text(Self.words)) }

    private static func words(of error: any Swift.Error) -> String {
        // The type is checked, because every error has a description after it is bridged to NSError.
        let kind = type(of: error)
        let hasText = kind is any LocalizedError.Type || kind is any CustomNSError.Type || kind is NSError.Type
        return !hasText && kind is any CustomStringConvertible.Type ? "\(error)" : error.localizedDescription
    }

    private func text(_ words: (any Swift.Error) -> String) -> String {
        switch self {
        case .imageMapping(let response): response.describing("Failed to map data to an Image.")
        case .jsonMapping(let response): Self.text("Failed to map data to JSON.", response)
        case .stringMapping(let response):
            response.describing(
                ["Failed to map data to a String.", response.mappingProblem].compactMap { $0 }.joined(separator: " ")
            )
        case .objectMapping(let error, let response):
            Self.text("Failed to map data to a Decodable object.", for: error, in: response)
        case .encodableMapping(let error):
            ["Failed to encode Encodable object into data.", (error as? EncodingError)?.misuse?.localizedDescription]
                .compactMap { $0 }.joined(separator: " ")
        case .statusCode(let response): response.refusal
        case .underlying(let error, let response): Self.text(of: error, response, words)
        case .requestMapping(let url):
            "Failed to map Endpoint to a URLRequest."
                + (url.isEmpty ? "" : " The URL \"\(SecretMask.standard.masking(url: url))\" is not valid.")
        case .parameterEncoding(let error):
            "Failed to encode parameters for URLRequest. \(words(error))"
        }
    }

    /// The description without the request, for texts that name the request.
    var causeDescription: String {
        if case .underlying(let error, _) = self { error.localizedDescription } else { localizedDescription }
    }

    private static func text(_ sentence: String, _ response: Response) -> String {
        guard let problem = response.mappingProblem else { return response.describingBody(sentence) }
        return response.describing("\(sentence) \(problem)")
    }

    private static func text(_ sentence: String, for error: any Swift.Error, in response: Response) -> String {
        if response.mappingProblem != nil { return text(sentence, response) }
        if let problem = problem(error, in: response) { return response.describing("\(sentence) \(problem)") }
        return error is DecodingError
            ? response.describingBody("\(sentence) The data is not valid.") : response.describing(sentence)
    }

    private static func text(
        of error: any Swift.Error,
        _ response: Response?,
        _ words: (any Swift.Error) -> String
    ) -> String {
        let text = words(error)
        // The text of a MoyaError already names the request.
        if error is MoyaError { return text }
        guard let response else {
            let summary = (error as? AuthenticationError)?.request ?? error.asURLError?.requestSummary
            return summary.map { "\($0): \(text)" } ?? text
        }
        guard error is any Decodable, response.request != nil else { return response.describing(text) }
        let kind = type(of: error)
        let own = kind is any CustomStringConvertible.Type ? "\(error)" : nil
        guard let description = (error as? any LocalizedError)?.errorDescription ?? own else {
            return response.describingBody("The body has the error \(kind).")
        }
        return response.describing("The body has the error \(kind): \(description)")
    }
}

extension MoyaError {
    /// Returns the error with the request in its text, if an exchange or the authentication failed.
    func describing(_ request: URLRequest?) -> MoyaError {
        guard let request, case .underlying(let error, let response) = self else { return self }
        if var error = error as? AuthenticationError {
            error.request = request.summary()
            return .underlying(error, response)
        }
        guard let error = error.asURLError else { return self }
        return .underlying(error.describing(method: request.httpMethod ?? "GET", url: request.url), response)
    }
}

extension URLError {
    private static let methodKey = "Moya.requestMethod"

    /// Returns the error with the method and the URL of its request, unless it has a URL.
    func describing(method: String, url: URL?) -> URLError {
        var info = userInfo
        info[Self.methodKey] = method
        if info[NSURLErrorFailingURLErrorKey] == nil, let url {
            info[NSURLErrorFailingURLErrorKey] = url.withoutCredentials
        }
        return URLError(code, userInfo: info)
    }

    /// The method and the URL of the request, with secrets masked.
    fileprivate var requestSummary: String? {
        guard let method = userInfo[Self.methodKey] as? String, let url = failingURL else { return nil }
        return "\(method) \(SecretMask.standard.text(of: url))"
    }
}

extension MoyaError: CustomNSError {
    /// The domain `Moya.MoyaError`.
    public static var errorDomain: String { "Moya.MoyaError" }

    /// The case's position in the order of declaration, from 0.
    public var errorCode: Int {
        switch self {
        case .imageMapping: 0
        case .jsonMapping: 1
        case .stringMapping: 2
        case .objectMapping: 3
        case .encodableMapping: 4
        case .statusCode: 5
        case .underlying: 6
        case .requestMapping: 7
        case .parameterEncoding: 8
        }
    }

    /// The localized description and the underlying error.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [:]
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
