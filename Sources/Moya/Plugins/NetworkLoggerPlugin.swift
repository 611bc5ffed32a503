import Foundation

/// Logs requests and results as text, for debugging.
///
///     let provider = MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin.verbose])
///
/// The output is called once for each attempt of a request, after plugins have prepared it, and once for each result,
/// in the order of these events. Credentials are masked: see ``Configuration-swift.struct/LogOptions/secrets``. In
/// bodies, form fields and parts, JSON members and URLs are masked; for other bodies with secrets do not enable the
/// body options, or mask the secrets in a custom formatter.
public final class NetworkLoggerPlugin: Sendable {
    private let state: Locked<Configuration>

    /// The settings of the logger.
    ///
    /// They can be changed at any time; each call of the plugin uses the settings at its beginning.
    public var configuration: Configuration {
        get { state.withLock { $0 } }
        set {
            // Released outside the lock: its closures may hold anything.
            let old = state.withLock { configuration in
                defer { configuration = newValue }
                return configuration
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Creates a plugin.
    public init(configuration: Configuration = Configuration()) { state = Locked(configuration) }
}

extension NetworkLoggerPlugin: PluginType {
    /// Logs the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let log = NetworkLog(configuration: configuration, target: target)
        log.configuration.output(target, log.items(of: request))
    }

    /// Logs the result.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        let log = NetworkLog(configuration: configuration, target: target)
        log.configuration.output(target, log.items(of: result))
    }
}

extension NetworkLoggerPlugin {
    /// Creates a plugin that logs the method and headers of requests, and the heads of responses.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// Creates a plugin that logs everything except credentials.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }
}
