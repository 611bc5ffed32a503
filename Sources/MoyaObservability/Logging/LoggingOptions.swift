#if Observability
import Logging
import MoyaHTTP

/// The options of logs: ``SessionInstrument/logging(_:_:)``.
public struct LoggingOptions: Sendable {
    /// The level of a request with a response below 400, and of one that was cancelled.
    public var level = Logger.Level.info
    /// The level of a request that has failed, or has a response from 400 on.
    public var failureLevel = Logger.Level.warning
    /// The methods that the metadata name; another one is `_OTHER`.
    public var knownMethods = HTTPConventions.knownMethods
    /// The parameters of queries whose values are replaced by `REDACTED`, besides common names of secrets such as `access_token`.
    public var sensitiveQueryKeys = HTTPConventions.sensitiveQueryKeys

    /// Creates options with the default values.
    public init() {}
}
#endif
