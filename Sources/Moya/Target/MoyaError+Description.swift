import Foundation

// The descriptions name mistakes in targets.

extension MoyaError: MaskedError {
    /// A description of the error for people to read, in one or two sentences.
    ///
    /// The description of a status that is not accepted has the request's method and URL, and the beginning of the
    /// response's body. Secrets in them are masked.
    public var errorDescription: String? { masked(text { $0.localizedDescription }) }

    /// The text of `errorDescription`, and what it leaves out.
    ///
    /// That is the URL that is invalid, and the description of a wrapped error that has no text for people. Secrets in URLs are
    /// masked.
    public var description: String {
        let text = masked(text(Self.words))
        guard case .requestMapping(let url) = self, !url.isEmpty else { return text }
        return "\(text) URL: \(SecretMask.standard.masking(url: url))"
    }

    private static func words(of error: any Swift.Error) -> String {
        // By its type, as every error is described once it is bridged to NSError.
        let kind = type(of: error)
        let hasText = kind is any LocalizedError.Type || kind is any CustomNSError.Type || kind is NSError.Type
        return !hasText && kind is any CustomStringConvertible.Type ? "\(error)" : error.localizedDescription
    }

    private func text(_ words: (any Swift.Error) -> String) -> String {
        switch self {
        case .imageMapping: "Failed to map data to an Image."
        case .jsonMapping: "Failed to map data to JSON."
        case .stringMapping: "Failed to map data to a String."
        case .objectMapping(let error, _):
            ["Failed to map data to a Decodable object.", (error as? DecodingError)?.summary]
                .compactMap { $0 }.joined(separator: " ")
        case .encodableMapping(let error):
            ["Failed to encode Encodable object into data.", (error as? EncodingError)?.misuse?.localizedDescription]
                .compactMap { $0 }.joined(separator: " ")
        case .statusCode(let response): response.refusal
        case .underlying(let error, _): words(error)
        case .requestMapping: "Failed to map Endpoint to a URLRequest."
        case .parameterEncoding(let error):
            "Failed to encode parameters for URLRequest. \(words(error))"
        }
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
