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
        let keys = schemes.compactMap { scheme in
            if case .apiKey(_, let place) = scheme.kind { place } else { nil }
        }
        if !keys.isEmpty { writeKeyPlugin(Set(keys), into: &lines) }
        return [GeneratedFile(path: "Support/\(model.name)Credentials.swift", text: lines.text)]
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
        case .apiKey(let key, let place):
            lines.document(documentation, or: "Sends an API key.")
            lines.block("\(modifier)static func \(function)(_ key: @escaping @Sendable () -> String) -> APIKeyPlugin") {
                lines in
                lines.add(
                    "APIKeyPlugin(name: \(SwiftText.literal(key)), place: .\(place == .query ? "query" : place == .cookie ? "cookie" : "header"), key: key)"
                )
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

    private func writeKeyPlugin(_ places: Set<Parameter.Place>, into lines: inout CodeLines) {
        let text = """

            /// A plugin that sends an API key with each request.
            ACCESS struct APIKeyPlugin: PluginType {
                /// The place of a key in a request.
                ACCESS enum Place: Sendable {
                    case header, query, cookie
                }

                private let name: String
                private let place: Place
                private let key: @Sendable () -> String

                /// Creates a plugin.
                ACCESS init(name: String, place: Place, key: @escaping @Sendable () -> String) {
                    self.name = name
                    self.place = place
                    self.key = key
                }

                /// Adds the key to a request.
                ACCESS func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                    var request = request
                    switch place {
                    case .header: request.setValue(key(), forHTTPHeaderField: name)
                    case .cookie: request.addValue("\\(name)=\\(key())", forHTTPHeaderField: "Cookie")
                    case .query: request.url?.append(queryItems: [URLQueryItem(name: name, value: key())])
                    }
                    return request
                }
            }
            """
        lines.add(
            text.replacing("ACCESS ", with: modifier).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init
            )
        )
    }
}
