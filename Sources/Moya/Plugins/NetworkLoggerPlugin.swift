import Foundation

/// Writes requests and results as text, for people who look for a mistake.
///
///     let provider = MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin.verbose])
///
/// Its output is called once for each try of a request, when plugins have prepared it, and once for each result; in the
/// order of these events. Values that are credentials are masked: see ``Configuration-swift.struct/LogOptions/secrets``.
/// In bodies these are the fields and parts of forms, members of JSON, and URLs: leave other bodies with secrets out of the
/// options, or have a formatter of yours mask what is secret in them.
public final class NetworkLoggerPlugin: Sendable {
    private let state: Locked<Configuration>

    /// What is logged, and how. It may be changed at any time; a call of the plugin goes by what it is at its beginning.
    public var configuration: Configuration {
        get { state.withLock { $0 } }
        set {
            // Not let go of under the lock: closures in it may hold anything.
            let old = state.withLock { configuration in
                defer { configuration = newValue }
                return configuration
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Makes a plugin.
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
    /// A new plugin that logs the method and headers of requests, and the heads of responses.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// A new plugin that logs everything but credentials.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }
}
