import Foundation
import Moya

extension URLSessionConfiguration {
    /// A configuration for servers on this machine, which the proxies of the environment may not reach.
    static var withoutProxies: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.withDefaultHeaders
        configuration.connectionProxyDictionary = [:]
        return configuration
    }
}
