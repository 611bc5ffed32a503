import Foundation

// Alamofire's members of Foundation's types; code for Moya 15 uses them with `import Moya` alone.

extension URLRequest {
    /// The method, in place of `httpMethod`.
    @_disfavoredOverload
    public var method: HTTPMethod? {
        get { httpMethod.map { HTTPMethod(rawValue: $0) } }
        set { httpMethod = newValue?.rawValue }
    }
}

extension CharacterSet {
    /// The characters of queries and forms that ``URLEncoding`` does not escape.
    @_disfavoredOverload
    public static let afURLQueryAllowed = CharacterSet(
        charactersIn: String(decoding: (0..<0x80).filter(ASCIISet.query.contains), as: UTF8.self)
    )
}

extension URLSessionConfiguration {
    /// Configurations with ``HTTPHeaders/default``: `URLSessionConfiguration.af.default`.
    public enum HeadedConfigurations {
        /// A copy of Foundation's default configuration, with the headers.
        public static var `default`: URLSessionConfiguration { .withDefaultHeaders }

        /// A copy of Foundation's ephemeral configuration, with the headers.
        public static var ephemeral: URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.headers = .default
            return configuration
        }
    }

    /// Configurations with ``HTTPHeaders/default``, under the name that Alamofire uses.
    public static var af: HeadedConfigurations.Type { HeadedConfigurations.self }
}
