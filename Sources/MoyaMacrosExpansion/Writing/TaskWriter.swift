#if Macros
import MoyaCodeText

/// Generates the task of an endpoint.
struct TaskWriter {
    let endpoint: Endpoint
    /// The last argument of functions that encode a value as JSON, if there is one.
    let encoderArgument: String

    /// The parameters that the text uses.
    var names: [String] {
        endpoint.parameters.filter { parameter in
            switch parameter.role {
            case .template: isInQuery(parameter) || checked.contains { $0.name == parameter.name }
            case .header, .headerTemplate, .headerMap: true
            case .query, .body, .field, .part, .member, .destination, .queryMap, .fieldMap, .requestURL: true
            }
        }.map(\.name)
    }

    var text: String {
        let checks =
            checked.map { ".checkingPath(\(SwiftText.literal($0.name)), \($0.code)\(endpoint.styleArgument))" }
            + HeadersWriter(endpoint: endpoint).parameters.map {
                ".checkingHeader(\(SwiftText.literal($0.name)), \($0.code)\(endpoint.styleArgument))"
            }
            + endpoint.parameters(.headerMap).map {
                ".checkingHeaders(\(SwiftText.literal($0.name)), \($0.code)\(endpoint.styleArgument))"
            }
        let line = (body + checks).joined()
        let isShort = line.count <= 104 || body[0].contains("\n")
        return isShort ? line : (body + checks).joined(separator: "\n    ")
    }

    /// The parameters in the path, whose values are checked.
    private var checked: [Parameter] {
        endpoint.parameters.filter { endpoint.template.pathVariables.contains($0.name) }
    }

    private func isInQuery(_ parameter: Parameter) -> Bool {
        endpoint.template.query.contains { item in
            if case .variable(parameter.name, _) = item.value { true } else { false }
        }
    }

    /// The lines of the task, with its query.
    private var body: [String] {
        let maps = endpoint.parameters(.queryMap)
        guard maps.isEmpty, endpoint.parameters(.requestURL).isEmpty else { return separateBody(maps) }
        let query = query
        switch (content, query.isEmpty) {
        case (let content?, true): return [content]
        case (nil, true): return [".requestPlain"]
        case (let content?, false):
            let encoding =
                endpoint.urlStyle.map { ["encoding: MoyaGenerated.URLEncoding(destination: .queryString, \($0))"] }
                ?? []
            let arguments = ["query: \(CodeText.dictionary(query))"] + encoding
            return [content, ".adding(\(arguments.joined(separator: ", ")))"]
        case (nil, false):
            return [parameters(query, encoding: encoding("queryString"))]
        }
    }

    /// Returns the lines of a task whose query has maps, or is added to a given URL.
    private func separateBody(_ maps: [Parameter]) -> [String] {
        let location = endpoint.parameters(.requestURL).map {
            ".sent(to: \($0.code), named: \(SwiftText.literal($0.name)))"
        }
        let named = query(\.code)
        guard !named.isEmpty || !maps.isEmpty else { return [content ?? ".requestPlain"] + location }
        let fields = namedFields(named, maps: maps)
        return [content ?? ".requestPlain"] + location + [".adding(query: \(fields))"]
    }

    /// Returns an expression for parameters with names, and for maps.
    private func namedFields(_ named: [(key: String, value: String)], maps: [Parameter]) -> String {
        let style = endpoint.urlStyle.map { "style: MoyaGenerated.URLEncoding(\($0))" } ?? ""
        let additions = named.map { ".adding(\(SwiftText.literal($0.key)), \($0.value))" }
        let added = maps.map { ".addingMap(\(SwiftText.literal($0.name)), \($0.code))" }
        return "MoyaGenerated.NamedFields(\(style))\((additions + added).joined())"
    }

    private func parameters(_ pairs: [(key: String, value: String)], encoding: String) -> String {
        let arguments = ["parameters: \(CodeText.dictionary(pairs))", "encoding: \(encoding)"]
        return CodeText.list(opening: ".requestParameters(", arguments, closing: ")", room: 104).joined(
            separator: "\n"
        )
    }

    /// The task without the query; `nil` for a plain request.
    private var content: String? {
        if let destination = endpoint.parameters(.destination).first {
            return destination.type.wrapped == "URL"
                ? ".download(to: \(destination.code))" : ".downloadDestination(\(destination.code))"
        }
        if let body = endpoint.parameters(.body).first { return content(of: body) }
        switch endpoint.format {
        case .json:
            let members = endpoint.parameters(.member)
            guard !members.isEmpty else { return nil }
            let additions = members.map { ".adding(\(SwiftText.literal($0.wireName)), \($0.code))" }
            let object = "MoyaGenerated.JSONMembers()\(additions.joined())"
            return encoderArgument.isEmpty
                ? ".requestJSONEncodable(\(object))" : "MoyaGenerated.body(\(object)\(encoderArgument))"
        case .form:
            let maps = endpoint.parameters(.fieldMap)
            guard maps.isEmpty else {
                let fields = endpoint.parameters(.field).map { (key: $0.wireName, value: $0.code) }
                return namedFields(fields, maps: maps) + ".form"
            }
            let fields = endpoint.parameters(.field).map { ($0.wireName, wireValue($0)) }
            return parameters(fields, encoding: encoding("httpBody"))
        case .multipart:
            let style = endpoint.urlStyle.map { "style: MoyaGenerated.URLEncoding(\($0))" } ?? ""
            let additions = endpoint.parameters(.part).map {
                ".adding(\(SwiftText.literal($0.wireName)), \($0.code))"
            }
            return "MoyaGenerated.FormParts(\(style))\(additions.joined()).task"
        }
    }

    private func content(of body: Parameter) -> String {
        // Overloads determine the kind of body, because the name of the type is ambiguous: an application may declare
        // another type `Data`.
        guard body.type.isOptional else {
            return "MoyaGenerated.body(\(body.code)\(encoderArgument))"
        }
        return "(\(body.code).map { MoyaGenerated.body($0\(encoderArgument)) } ?? .requestPlain)"
    }

    private func encoding(_ destination: String) -> String {
        endpoint.urlStyle.map { "MoyaGenerated.URLEncoding(destination: .\(destination), \($0))" }
            ?? "MoyaGenerated.URLEncoding.\(destination)"
    }

    private var query: [(key: String, value: String)] { query { wireValue($0) } }

    /// Returns the names and values of the query, without maps.
    private func query(_ value: (Parameter) -> String) -> [(key: String, value: String)] {
        let named = endpoint.template.query.map { item in
            switch item.value {
            case .text(let text): (item.name, SwiftText.literal(text))
            case .variable(let name, _):
                (item.name, endpoint.parameters.first { $0.name == name }.map(value) ?? name.asIdentifier)
            }
        }
        return named + endpoint.parameters(.query).map { ($0.wireName, value($0)) }
    }

    private func wireValue(_ parameter: Parameter) -> String {
        "MoyaGenerated.WireValue.of(\(parameter.code))"
    }
}

extension Endpoint {
    /// The last argument of functions that write a value, if the endpoint has a style.
    var styleArgument: String { urlStyle.map { ", style: MoyaGenerated.URLEncoding(\($0))" } ?? "" }
}
#endif
