import MoyaCodeText

/// Writes the plugins that send the credentials of an API.
struct SecurityWriter {
    let model: APIModel

    private var modifier: String { model.configuration.access.modifier }

    var files: [GeneratedFile] {
        let schemes = model.security.filter { $0.kind != .mutualTLS }
        guard !schemes.isEmpty else { return [] }
        var lines = CodeLines()
        lines.add("import Moya")
        lines.add()
        lines.comment("The credentials that \(model.name) accepts, as plugins of a client or a provider.")
        lines.block("\(modifier)enum \(model.name)Credentials") { lines in
            var names = UniqueNames()
            for scheme in schemes { write(scheme, &names, into: &lines) }
        }
        if !keyPlaces.isEmpty { writeKeyPlugin(into: &lines) }
        return [GeneratedFile(path: "Support/\(model.name)Credentials.swift", text: lines.text)]
    }

    /// The places of the keys, in order.
    private var keyPlaces: [KeyPlace] {
        let places = model.security.compactMap { KeyPlace($0.kind) }
        return KeyPlace.allCases.filter(places.contains)
    }

    private func write(_ scheme: SecurityScheme, _ names: inout UniqueNames, into lines: inout CodeLines) {
        let name = names.take([model.configuration.naming.value(Words(of: scheme.name))])
        let function = ReservedNames.escaped(name)
        let documentation = Documentation(scheme.description)
        lines.separate()
        switch scheme.kind {
        case .http(let kind, _) where kind == "basic":
            lines.document(documentation, or: "Sends a user name and a password.")
            lines.block(
                "\(modifier)static func \(function)(username: String, password: String) -> BasicAuthenticationPlugin"
            ) { lines in lines.add("BasicAuthenticationPlugin(username: username, password: password)") }
        case .http, .openIDConnect:
            lines.document(documentation, or: "Sends a token.")
            writeToken(function, into: &lines)
        case .oauth2(let flows):
            lines.document(documentation, or: "Sends a token of OAuth 2.")
            writeToken(function, into: &lines)
            writeOAuth(flows, name, into: &lines)
        case .apiKey(let key, _):
            lines.document(documentation, or: "Sends an API key.")
            let place = keyPlaces.count > 1 ? KeyPlace(scheme.kind).map { "place: .\($0), " } ?? "" : ""
            lines.block("\(modifier)static func \(function)(_ key: @escaping @Sendable () -> String) -> APIKeyPlugin") {
                $0.add("APIKeyPlugin(name: \(SwiftText.literal(key)), \(place)key: key)")
            }
        case .mutualTLS: break
        }
    }

    private func writeToken(_ function: String, into lines: inout CodeLines) {
        lines.block(
            "\(modifier)static func \(function)(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin"
        ) { lines in
            lines.add("AccessTokenPlugin { _ in token() }")
        }
    }

    /// Writes the interceptor that refreshes tokens, for a flow with an absolute URL for tokens.
    private func writeOAuth(_ flows: [OAuthFlow], _ name: String, into lines: inout CodeLines) {
        guard let flow = flows.first(where: { $0.tokenURL?.contains("://") == true }), let url = flow.tokenURL else {
            return
        }
        lines.separate()
        lines.comment("Sends a token of OAuth 2, and refreshes it when it has expired.")
        lines.add("\(modifier)static func \(name)Refreshing(")
        lines.indented { lines in
            lines.add("client: OAuth2Client,")
            lines.add("credential: OAuth2Credential? = nil,")
            lines.add("onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }")
        }
        lines.add(") -> AuthenticationInterceptor<OAuth2Authenticator> {")
        lines.indented { lines in
            lines.add("let authenticator = OAuth2Authenticator(")
            lines.indented { lines in
                lines.add("tokenURL: URL(string: \(SwiftText.literal(url)))!,")
                lines.add("client: client,")
                if flow.name == "clientCredentials" { lines.add("grant: .clientCredentials,") }
                lines.add("origins: [URL(string: \(SwiftText.literal(model.baseURL)))!],")
                lines.add("onRefresh: onRefresh")
            }
            lines.add(")")
            lines.add("return AuthenticationInterceptor(authenticator: authenticator, credential: credential)")
        }
        lines.add("}")
    }

    /// Writes the plugin for keys, with the choice of a place if the keys have several.
    private func writeKeyPlugin(into lines: inout CodeLines) {
        let places = keyPlaces
        let hasChoice = places.count > 1
        lines.separate()
        lines.comment("A plugin that sends an API key with each request.")
        lines.block("\(modifier)struct APIKeyPlugin: PluginType") { lines in
            if hasChoice {
                lines.comment("The place of a key in a request.")
                lines.block("\(modifier)enum Place: Sendable") {
                    $0.add("case \(places.map(\.rawValue).joined(separator: ", "))")
                }
                lines.separate()
            }
            lines.add("private let name: String")
            if hasChoice { lines.add("private let place: Place") }
            lines.add("private let key: @Sendable () -> String")
            lines.separate()
            lines.comment("Creates a plugin.")
            let parameter = hasChoice ? "place: Place, " : ""
            lines.block("\(modifier)init(name: String, \(parameter)key: @escaping @Sendable () -> String)") { lines in
                lines.add("self.name = name")
                if hasChoice { lines.add("self.place = place") }
                lines.add("self.key = key")
            }
            lines.separate()
            lines.comment("Adds the key to a request.")
            lines.block(
                "\(modifier)func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest"
            ) { lines in
                lines.add("var request = request")
                if hasChoice {
                    lines.add("switch place {")
                    for place in places {
                        lines.add("case .\(place):")
                        lines.indented { $0.add(place.code) }
                    }
                    lines.add("}")
                } else {
                    for place in places { lines.add(place.code) }
                }
                lines.add("return request")
            }
        }
    }
}

/// The place of an API key in a request.
private enum KeyPlace: String, CaseIterable {
    case header, query, cookie

    init?(_ kind: SecurityScheme.Kind) {
        guard case .apiKey(_, let place) = kind else { return nil }
        switch place {
        case .query, .querystring: self = .query
        case .cookie: self = .cookie
        case .header, .path: self = .header
        }
    }

    /// The code that adds a key to a request.
    var code: [String] {
        switch self {
        case .header: ["request.setValue(key(), forHTTPHeaderField: name)"]
        case .query: ["request.url?.append(queryItems: [URLQueryItem(name: name, value: key())])"]
        case .cookie:
            [
                "let cookies = [request.value(forHTTPHeaderField: \"Cookie\"), \"\\(name)=\\(key())\"].compactMap(\\.self)",
                "request.setValue(cookies.joined(separator: \"; \"), forHTTPHeaderField: \"Cookie\")",
            ]
        }
    }
}
