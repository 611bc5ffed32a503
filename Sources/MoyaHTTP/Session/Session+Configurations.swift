import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    /// Configurations with ``HTTPHeaders/default``, under the name that Alamofire gave them.
    public static var af: HeadedConfigurations.Type { HeadedConfigurations.self }
}
