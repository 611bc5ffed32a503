#if Macros
import Foundation
import Moya

extension HTTPTask {
    /// Returns the same task, sent to another URL of the API's server: see ``RequestURL``.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base URL.
    ///   - parameter: The name of the parameter, for errors.
    /// - Returns: The task.
    public func sent(to url: URL, named parameter: String) -> HTTPTask {
        sent(to: url.absoluteString, named: parameter)
    }

    /// Returns the same task, sent to another URL of the API's server: see ``RequestURL``.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base URL.
    ///   - parameter: The name of the parameter, for errors.
    /// - Returns: The task.
    public func sent(to url: String, named parameter: String) -> HTTPTask { sent(toURL: url, parameter: parameter) }
}
#endif
