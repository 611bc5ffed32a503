import Foundation
import Moya

extension URLSessionConfiguration {
    /// A configuration without proxies, for servers on this machine, because a proxy of the environment may not reach them.
    static var withoutProxies: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.withDefaultHeaders
        configuration.connectionProxyDictionary = [:]
        return configuration
    }
}
