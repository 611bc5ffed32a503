#if Macros
import MoyaCodeText

/// Generates the target.
struct TargetWriter {
    let api: API
    private let encoders: StoredExpressions<Coder>

    init(api: API) {
        self.api = api
        encoders = StoredExpressions(api.endpoints.compactMap(\.encoder), named: "declaredEncoder", in: api)
    }

    var text: String {
        let isAuthorizable = api.endpoints.contains { $0.authorization != nil }
        var lines = api.attributes
        lines.append("/// The requests of ``\(api.name)``, with a case for each method.")
        let access = api.access.isEmpty ? "" : api.access + " "
        let conformances =
            "MoyaGenerated.APITargetType, MoyaGenerated.Equatable"
            + (isAuthorizable ? ", MoyaGenerated.AccessTokenAuthorizable" : "")
            + (isTimeLimited ? ", MoyaGenerated.TimeLimitedTargetType" : "")
            + (choosesRetrier ? ", MoyaGenerated.RetryingTargetType" : "")
            + (hasKeys ? ", MoyaGenerated.IdempotentTargetType" : "")
        lines.append("\(access)nonisolated enum \(api.targetName): \(conformances) {")
        var members = [
            cases, baseURL, coders, path, ["\(api.memberAccess)var isPathEscaped: MoyaGenerated.Bool { true }"],
            urlTemplate, method, task, headers,
        ]
        members.append(validation)
        if isAuthorizable { members.append(authorization) }
        members.append(timeout)
        members.append(timeouts)
        members.append(retryChoice)
        members.append(idempotencyKeys)
        members.append(cachePolicy)
        members.append(sampleData)
        members.append(equality)
        lines += members.filter { !$0.isEmpty }.joined(separator: [""]).flatMap { CodeText.indented([$0]) }
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    private func property(_ declaration: String) -> CaseProperty {
        CaseProperty(declaration: "\(api.memberAccess)var \(declaration)")
    }

    private var cases: [String] {
        api.endpoints.flatMap { endpoint in
            let payload = endpoint.parameters.map(\.payload).joined(separator: ", ")
            return endpoint.documentation + [
                "case \(endpoint.caseName.asIdentifier)\(payload.isEmpty ? "" : "(\(payload))")"
            ]
        }
    }

    private var baseURL: [String] {
        switch api.baseURL {
        case .expression(let expression):
            ["\(api.memberAccess)var baseURL: MoyaGenerated.URL { \(expression) }"]
        case .checked(let text):
            [
                "\(api.memberAccess)var baseURL: MoyaGenerated.URL { Self.\(api.declaredBaseURLName) }", "",
                "// Checked by the macro.",
                "private static let \(api.declaredBaseURLName) = MoyaGenerated.URL(string: \(SwiftText.literal(text)))!",
            ]
        }
    }

    private var coders: [String] {
        let encoder = api.encoder.map { "apiEncoder: MoyaGenerated.JSONEncoder? = \($0)" }
        let decoder = api.decoder.map {
            "apiDecoder: (any MoyaGenerated.ResponseDecoder & MoyaGenerated.Sendable)? = \($0)"
        }
        return [encoder, decoder].compactMap(\.self).map { "\(api.memberAccess)static let \($0)" }
            + encoders.declarations { ($0.type, $0.expression) }
    }

    private var path: [String] {
        var property = property("path: MoyaGenerated.String")
        for endpoint in api.endpoints {
            let text = endpoint.template.path.map { piece in
                switch piece {
                case .text(let text): SwiftText.escaped(text)
                case .variable(let name, _):
                    "\\(MoyaGenerated.PathValue.escape(\(name.asIdentifier)\(endpoint.styleArgument)))"
                }
            }
            property.add(endpoint, "\"\(text.joined())\"", using: endpoint.template.pathVariables)
        }
        return property.lines
    }

    private var urlTemplate: [String] {
        var property = property("urlTemplate: MoyaGenerated.String?")
        for endpoint in api.endpoints {
            let isFixed = endpoint.parameters(.requestURL).isEmpty
            property.add(endpoint, isFixed ? SwiftText.literal(endpoint.template.pathText) : "nil")
        }
        return property.lines
    }

    private var method: [String] {
        var property = property("method: MoyaGenerated.Method")
        let known: Set = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE", "QUERY"]
        for endpoint in api.endpoints {
            let name = endpoint.method
            let value =
                known.contains(name)
                ? ".\(name.lowercased())" : "MoyaGenerated.Method(rawValue: \(SwiftText.literal(name)))"
            property.add(endpoint, value)
        }
        return property.lines
    }

    private var task: [String] {
        var property = property("task: MoyaGenerated.HTTPTask")
        for endpoint in api.endpoints {
            let task = TaskWriter(endpoint: endpoint, encoderArgument: encoderArgument(endpoint))
            property.add(endpoint, task.text, using: task.names)
        }
        return property.lines
    }

    private var headers: [String] {
        var property = property("headers: [MoyaGenerated.String: MoyaGenerated.String]?")
        for endpoint in api.endpoints {
            let headers = HeadersWriter(endpoint: endpoint)
            property.add(endpoint, headers.text, using: headers.names)
        }
        return property.lines
    }

    private var validation: [String] {
        var property = property("validationType: MoyaGenerated.ValidationType")
        for endpoint in api.endpoints { property.add(endpoint, endpoint.validation ?? ".successCodes") }
        return property.lines
    }

    private var authorization: [String] {
        var property = property("authorizationType: MoyaGenerated.AuthorizationType?")
        for endpoint in api.endpoints { property.add(endpoint, endpoint.authorization ?? "nil") }
        return property.lines
    }

    private var timeout: [String] {
        // Without the property, the default of the protocol is used.
        guard api.endpoints.contains(where: { $0.timeout != nil }) else { return [] }
        var property = property("timeoutInterval: MoyaGenerated.TimeInterval?")
        for endpoint in api.endpoints { property.add(endpoint, endpoint.timeout ?? "nil") }
        return property.lines
    }

    private var isTimeLimited: Bool { api.endpoints.contains { !$0.timeouts.isEmpty } }

    private var timeouts: [String] {
        guard isTimeLimited else { return [] }
        var property = property("timeouts: MoyaGenerated.RequestTimeouts")
        for endpoint in api.endpoints {
            let arguments = endpoint.timeouts.map { "\($0.name): \($0.value)" }
            property.add(endpoint, "MoyaGenerated.RequestTimeouts(\(arguments.joined(separator: ", ")))")
        }
        return property.lines
    }

    private var choosesRetrier: Bool { api.endpoints.contains { $0.retry != nil } }

    private var retryChoice: [String] {
        guard choosesRetrier else { return [] }
        var property = property("retryChoice: MoyaGenerated.RetryChoice")
        // The budget of a policy is state that all requests share.
        let stateless = [".never", ".inherited"]
        let retriers = StoredExpressions(
            api.endpoints.compactMap(\.retry).filter { !stateless.contains($0) },
            named: "declaredRetrier",
            in: api
        )
        for endpoint in api.endpoints {
            let retry = endpoint.retry ?? ".inherited"
            property.add(endpoint, retriers.property(retry) ?? retry)
        }
        let stored = retriers.declarations { (nil, "MoyaGenerated.retryChoice(\($0))") }
        return property.lines + (stored.isEmpty ? [] : [""] + stored)
    }

    private var hasKeys: Bool { api.endpoints.contains { $0.idempotencyKeys != nil } }

    private var idempotencyKeys: [String] {
        guard hasKeys else { return [] }
        var property = property("idempotencyKeys: MoyaGenerated.IdempotencyKeys?")
        for endpoint in api.endpoints { property.add(endpoint, endpoint.idempotencyKeys ?? "nil") }
        return property.lines
    }

    /// Returns the last argument of functions that encode a value, if the method or the API has an encoder.
    private func encoderArgument(_ endpoint: Endpoint) -> String {
        endpoint.encoder.flatMap(encoders.property).map { ", encoder: \($0)" } ?? api.encoderArgument
    }

    private var cachePolicy: [String] {
        // Without the property, the default of the protocol is used.
        guard api.endpoints.contains(where: { $0.cachePolicy != nil }) else { return [] }
        var property = property("cachePolicy: MoyaGenerated.CachePolicy")
        for endpoint in api.endpoints { property.add(endpoint, endpoint.cachePolicy ?? ".useProtocolCachePolicy") }
        return property.lines
    }

    private var sampleData: [String] {
        var property = property("sampleData: MoyaGenerated.Data")
        for endpoint in api.endpoints {
            switch endpoint.sample {
            case .text(let literal): property.add(endpoint, "MoyaGenerated.SampleData.of(\(literal))")
            case .value(let expression):
                property.add(endpoint, "MoyaGenerated.SampleData.of(\(expression)\(encoderArgument(endpoint)))")
            case .function(let function):
                let names = endpoint.parameters.map(\.code)
                property.add(
                    endpoint,
                    "MoyaGenerated.SampleData.of((\(function))(\(names.joined(separator: ", ")))\(encoderArgument(endpoint)))",
                    using: endpoint.parameters.map(\.name)
                )
            case nil:
                let type: String
                switch (endpoint.kind, endpoint.output) {
                case (.value, .value(let value, _)): type = value
                case (.pages, .pages(let item)): type = "[\(item)]"
                case (.value, .typedResponse(let value)): type = value
                default:
                    property.add(endpoint, "MoyaGenerated.Data()")
                    continue
                }
                property.add(
                    endpoint,
                    "MoyaGenerated.SampleData.of(\(type).self\(endpoint.keyPath.map { ", at: \($0)" } ?? "")\(encoderArgument(endpoint)))"
                )
            }
        }
        let lines = property.lines
        // Without the property, the default of the protocol is used.
        return lines == ["\(api.memberAccess)var sampleData: MoyaGenerated.Data { MoyaGenerated.Data() }"]
            ? [] : lines
    }

    /// The `==` operator, which compiles for parameters of any type; it is empty without parameters, because the compiler then
    /// declares the operator.
    private var equality: [String] {
        guard api.endpoints.contains(where: { !$0.parameters.isEmpty }) else { return [] }
        var cases = api.endpoints.flatMap { endpoint -> [String] in
            let indices = endpoint.parameters.indices
            let (left, right) = (endpoint.pattern(naming: "lhs"), endpoint.pattern(naming: "rhs"))
            let comparisons = indices.map { index in
                "\(index == 0 ? "return " : "    && ")MoyaGenerated.areEqual(lhs\(index), rhs\(index))"
            }
            let value = comparisons.isEmpty ? ["return true"] : comparisons
            return ["case (\(left), \(right)):"] + CodeText.indented(value)
        }
        // With a single case, the compiler would warn of an unreachable default.
        if api.endpoints.count > 1 { cases += ["default:"] + CodeText.indented(["return false"]) }
        return ["\(api.memberAccess)static func == (lhs: Self, rhs: Self) -> MoyaGenerated.Bool {"]
            + CodeText.indented(["switch (lhs, rhs) {"] + cases + ["}"]) + ["}"]
    }
}

extension Endpoint {
    /// Returns a pattern that binds the parameters to names with their numbers.
    fileprivate func pattern(naming prefix: String) -> String {
        let values = parameters.indices.map { "let \(prefix)\($0)" }.joined(separator: ", ")
        return values.isEmpty ? ".\(caseName.asIdentifier)" : ".\(caseName.asIdentifier)(\(values))"
    }
}
#endif
