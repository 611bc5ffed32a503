import Foundation

extension ScriptedTransport {
    /// Answers requests for a target, also if it is wrapped in a `MultiTarget`.
    ///
    ///     transport.on(GitHub.zen, .text("Keep it simple."))
    ///
    /// `Equatable` targets are compared with `==`. Others match if their type, method and URL, including its query,
    /// are equal; their bodies are not compared. Requests that were not created from a target match by method and
    /// URL.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - answers: The answers in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ target: some TargetType, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let own = target.innermost
        let address = TargetAddress(own)
        return add("\(TargetName(own)), \(address.method.rawValue) \(shown(address.url.absoluteString))", responses) {
            request in
            guard let asked = request.innermostTarget else { return address == TargetAddress(request) }
            if let own = own as? any Equatable { return own.equals(asked) }
            return type(of: own) == type(of: asked) && address == TargetAddress(asked)
        }
    }

    /// Answers requests for all targets of a type.
    ///
    ///     transport.on(GitHub.self, .status(503))
    ///
    /// - Parameters:
    ///   - type: The targets' type.
    ///   - answers: The answers in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on<Target: TargetType>(_ type: Target.Type, _ responses: ScriptedResponse...) -> ScriptedTransport {
        add("any \(type)", responses) { request in request.target(as: type) != nil }
    }

    /// Answers requests for the targets of a type that fulfill a condition.
    ///
    ///     transport.on(GitHub.self, where: { if case .user = $0 { true } else { false } }, .json(user))
    ///
    /// - Parameters:
    ///   - type: The targets' type.
    ///   - matches: Returns whether a target matches.
    ///   - answers: The answers in order; the last one is used for all further requests.
    ///   - file: The file that errors name, as a closure has no name.
    ///   - line: The line that errors name.
    /// - Returns: This transport.
    @discardableResult
    public func on<Target: TargetType>(
        _ type: Target.Type,
        where matches: @escaping @Sendable (Target) -> Bool,
        _ responses: ScriptedResponse...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport {
        add("\(type) where … (\(file):\(line))", responses) { request in
            request.target(as: type).map(matches) ?? false
        }
    }

    /// Answers requests by method and URL.
    ///
    ///     transport.on(.get, "/users/*", .json(user))
    ///     transport.on(.post, "https://auth.example.com/token", .json(token))
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: A path for any server, or a URL. In its path `*` matches any characters except a slash, and `**`
    ///     any characters. A query must have the same parameters in any order; a pattern without a query matches any.
    ///   - answers: The answers in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ method: HTTPMethod, _ pattern: String, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("\(method.rawValue) \(shown(pattern))", responses) { request in
            request.method == method && wanted.matches(request.url)
        }
    }

    /// Answers requests by URL, for any method.
    ///
    ///     transport.on("/status", .text("up"))
    ///
    /// - Parameters:
    ///   - pattern: A path or a URL, as in `on(.get, "/users/*", …)`.
    ///   - answers: The answers in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ pattern: String, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("any method, \(shown(pattern))", responses) { request in wanted.matches(request.url) }
    }

    /// Answers requests that fulfill a condition.
    ///
    ///     transport.on(where: { $0.headers[.authorization] == nil }, .status(401))
    ///
    /// - Parameters:
    ///   - matches: Returns whether a request matches.
    ///   - answers: The answers in order; the last one is used for all further requests.
    ///   - file: The file that errors name, as a closure has no name.
    ///   - line: The line that errors name.
    /// - Returns: This transport.
    @discardableResult
    public func on(
        where matches: @escaping @Sendable (TransportRequest) -> Bool,
        _ responses: ScriptedResponse...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport { add("requests where … (\(file):\(line))", responses, matches: matches) }
}

/// The method and URL of a target's request.
struct TargetAddress: Equatable, Sendable {
    let method: HTTPMethod
    let url: URL

    /// Creates the address of a target; the URL includes the parameters that the target's task adds, if it can be
    /// encoded.
    init(_ target: some TargetType) {
        let request = try? MoyaProvider.defaultEndpointMapping(for: target).urlRequest()
        method = target.method
        url = request?.url ?? URL(target: target)
    }

    init(_ request: TransportRequest) {
        method = request.method
        url = request.url
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
