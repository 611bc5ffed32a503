import Foundation

extension ScriptedTransport {
    /// Answers requests for a target, also where a `MultiTarget` wraps it.
    ///
    ///     transport.on(GitHub.zen, .text("Keep it simple."))
    ///
    /// Targets that are `Equatable` are compared. Others are the same if their type, their method and their URL are, with the
    /// parameters that are in it; what differs in the body makes no difference. So do requests that were not made from a target.
    ///
    /// - Parameter answers: One after the other. The last is for all requests that follow.
    @discardableResult
    public func on(_ target: some TargetType, _ answers: ScriptedAnswer...) -> ScriptedTransport {
        let own = target.innermost
        let address = TargetAddress(own)
        return add("\(TargetName(own)), \(address.method.rawValue) \(shown(address.url.absoluteString))", answers) {
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
    ///   - answers: One after the other. The last is for all requests that follow.
    @discardableResult
    public func on<Target: TargetType>(_ type: Target.Type, _ answers: ScriptedAnswer...) -> ScriptedTransport {
        add("any \(type)", answers) { request in request.target(as: type) != nil }
    }

    /// Answers requests for the targets of a type that are of a kind.
    ///
    ///     transport.on(GitHub.self, where: { if case .user = $0 { true } else { false } }, .json(user))
    ///
    /// - Parameters:
    ///   - type: The targets' type.
    ///   - matches: Whether a target is one of these.
    ///   - answers: One after the other. The last is for all requests that follow.
    ///   - file: Named in errors, as a closure has no name.
    ///   - line: Named in errors.
    @discardableResult
    public func on<Target: TargetType>(
        _ type: Target.Type,
        where matches: @escaping @Sendable (Target) -> Bool,
        _ answers: ScriptedAnswer...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport {
        add("\(type) where … (\(file):\(line))", answers) { request in
            request.target(as: type).map(matches) ?? false
        }
    }

    /// Answers requests by their URL, whatever they were made from.
    ///
    ///     transport.on(.get, "/users/*", .json(user))
    ///     transport.on(.post, "https://auth.example.com/token", .json(token))
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: A path, for any server, or a URL. In its path `*` stands for anything but a slash, and `**` for anything. A
    ///     query has the same parameters, in any order; without one in the pattern, any query will do.
    ///   - answers: One after the other. The last is for all requests that follow.
    @discardableResult
    public func on(_ method: HTTPMethod, _ pattern: String, _ answers: ScriptedAnswer...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("\(method.rawValue) \(shown(pattern))", answers) { request in
            request.method == method && wanted.matches(request.url)
        }
    }

    /// Answers requests by their URL, whatever they were made from, and whatever their method.
    ///
    ///     transport.on("/status", .text("up"))
    ///
    /// - Parameters:
    ///   - pattern: A path, or a URL, as in `on(.get, "/users/*", …)`.
    ///   - answers: One after the other. The last is for all requests that follow.
    @discardableResult
    public func on(_ pattern: String, _ answers: ScriptedAnswer...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("any method, \(shown(pattern))", answers) { request in wanted.matches(request.url) }
    }

    /// Answers requests of a kind.
    ///
    ///     transport.on(where: { $0.headers[.authorization] == nil }, .status(401))
    ///
    /// - Parameters:
    ///   - matches: Whether a request is one of these.
    ///   - answers: One after the other. The last is for all requests that follow.
    ///   - file: Named in errors, as a closure has no name.
    ///   - line: Named in errors.
    @discardableResult
    public func on(
        where matches: @escaping @Sendable (TransportRequest) -> Bool,
        _ answers: ScriptedAnswer...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport { add("requests where … (\(file):\(line))", answers, matches: matches) }
}

/// Where a target's request goes.
struct TargetAddress: Equatable, Sendable {
    let method: HTTPMethod
    let url: URL

    /// The URL has the parameters that the target puts into it, where it can be made.
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
