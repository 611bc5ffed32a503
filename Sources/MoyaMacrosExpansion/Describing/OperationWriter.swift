#if Macros
import SwiftSyntax

/// Writes the operation of an endpoint (OpenAPI 3.1.1, section 4.8.10).
struct OperationWriter {
    let api: API
    let endpoint: Endpoint
    let scope: SchemaWriter.Scope
    let operationID: String

    /// The parts of requests and responses that OpenAPI cannot describe.
    private(set) var omissions: [String] = []
    private(set) var securitySchemes: [JSONText.Member] = []

    init(api: API, endpoint: Endpoint, scope: SchemaWriter.Scope, operationID: String) {
        self.api = api
        self.endpoint = endpoint
        self.scope = scope
        self.operationID = operationID
    }

    /// Returns the operation.
    mutating func operation(_ schemas: inout SchemaWriter) -> JSONText {
        let parameters = parameters(&schemas)
        return .members([
            "operationId": .string(operationID), "tags": .array([.string(api.name)]),
            "description": endpoint.documentation.sentences.map { .string($0) },
            "deprecated": endpoint.specifiers.contains { $0.hasPrefix("@available") && $0.contains("deprecated") }
                ? .boolean(true) : nil,
            "parameters": parameters.isEmpty ? nil : .array(parameters), "requestBody": requestBody(&schemas),
            "responses": responses(&schemas), "security": security(),
        ])
    }

    // MARK: Parameters

    private mutating func parameters(_ schemas: inout SchemaWriter) -> [JSONText] {
        var found: [JSONText] = []
        for name in endpoint.template.pathVariables {
            guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else { continue }
            found.append(Self.parameter(name, "path", isRequired: true, schema: value(of: parameter, &schemas)))
        }
        for item in endpoint.template.query {
            switch item.value {
            case .text(let text):
                let schema = JSONText.members(["type": "string", "const": .string(text)])
                found.append(Self.parameter(item.name, "query", isRequired: true, schema: schema))
            case .variable(let name, _):
                guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else { continue }
                found.append(query(parameter, named: item.name, &schemas))
            }
        }
        for parameter in endpoint.parameters {
            switch parameter.role {
            case .query: found.append(query(parameter, named: parameter.wireName, &schemas))
            case .queryMap:
                let schema = schemas.schema(of: parameter.type.text, in: scope)
                found.append(
                    Self.parameter(parameter.name, "query", isRequired: false, schema: schema, style: ("form", true))
                )
            case .header:
                let schema = value(of: parameter, &schemas)
                found.append(header(parameter.wireName, isRequired: !parameter.type.isOptional, schema: schema))
            case .headerMap: omissions.append("the headers of '\(parameter.name)'")
            case .requestURL, .template, .headerTemplate, .body, .field, .fieldMap, .part, .member, .destination: break
            }
        }
        // The specification ignores definitions of these headers.
        let ignored: Set = ["accept", "content-type", "authorization"]
        for header in endpoint.headers where !ignored.contains(header.name.lowercased()) {
            found.append(fixedHeader(header, &schemas))
        }
        return found
    }

    private static func parameter(
        _ name: String,
        _ place: String,
        isRequired: Bool,
        schema: JSONText,
        style: (name: String, explodes: Bool)? = nil
    ) -> JSONText {
        .members([
            "name": .string(name), "in": .string(place), "required": isRequired ? .boolean(true) : nil,
            "style": style.map { .string($0.name) }, "explode": style.map { .boolean($0.explodes) }, "schema": schema,
        ])
    }

    private mutating func query(_ parameter: Parameter, named name: String, _ schemas: inout SchemaWriter) -> JSONText {
        let schema = value(of: parameter, &schemas)
        let isRequired = !parameter.type.isOptional
        switch parameter.type.shape {
        case .single:
            // A structure has a name for each property.
            let isObject = schemas.isObject(schema)
            return Self.parameter(
                name,
                "query",
                isRequired: isRequired,
                schema: schema,
                style: isObject ? ("deepObject", true) : nil
            )
        case .list:
            return Self.parameter(
                listName(name),
                "query",
                isRequired: isRequired,
                schema: schema,
                style: ("form", true)
            )
        case .dictionary:
            return Self.parameter(name, "query", isRequired: isRequired, schema: schema, style: ("deepObject", true))
        }
    }

    /// Returns the name of a list's elements in a query or a form.
    private mutating func listName(_ name: String) -> String {
        guard let style = endpoint.urlStyle, style.contains("arrayEncoding") else { return "\(name)[]" }
        if style.contains(".noBrackets") { return name }
        if style.contains(".brackets") { return "\(name)[]" }
        omissions.append("the names of the elements of '\(name)', which have an index or a custom form")
        return name
    }

    private func header(_ name: String, isRequired: Bool, schema: JSONText) -> JSONText {
        Self.parameter(name, "header", isRequired: isRequired, schema: schema)
    }

    private func fixedHeader(_ header: Header, _ schemas: inout SchemaWriter) -> JSONText {
        switch header.value.first {
        case .variable(let name, _)? where header.value.count == 1:
            let parameter = endpoint.parameters.first { $0.name == name }
            let schema = parameter.map { value(of: $0, &schemas) } ?? .members(["type": "string"])
            return self.header(header.name, isRequired: parameter?.type.isOptional != true, schema: schema)
        case .text(let text)? where header.value.count == 1:
            return self.header(
                header.name,
                isRequired: true,
                schema: .members(["type": "string", "const": .string(text)])
            )
        default:
            return self.header(header.name, isRequired: true, schema: .members(["type": "string"]))
        }
    }

    /// Returns the schema of a value that is written as text: Booleans are numbers, unless the style is another one.
    private func value(of parameter: Parameter, _ schemas: inout SchemaWriter) -> JSONText {
        let schema = schemas.schema(of: parameter.type.text, in: scope)
        guard endpoint.urlStyle?.contains(".literal") != true else { return schema }
        return schema.replacingBooleans
    }

    // MARK: Body

    private mutating func requestBody(_ schemas: inout SchemaWriter) -> JSONText? {
        if let body = endpoint.parameters(.body).first {
            let isContent = ["Data", "URL", "HTTPBody"].contains(body.type.wrapped)
            let schema: JSONText = isContent ? .object([]) : schemas.schema(of: body.type.text, in: scope)
            return Self.body(
                isContent ? contentType ?? "application/octet-stream" : mediaType,
                isRequired: !body.type.isOptional,
                schema: schema
            )
        }
        switch endpoint.format {
        case .json:
            let members = endpoint.parameters(.member)
            guard !members.isEmpty else { return nil }
            return Self.body(
                mediaType,
                isRequired: true,
                schema: object(of: members) {
                    schemas.schema(of: $0.type.text, in: scope)
                } name: {
                    $0.wireName
                }
            )
        case .form:
            let fields = endpoint.parameters(.field)
            let maps = endpoint.parameters(.fieldMap)
            guard !fields.isEmpty || !maps.isEmpty else { return nil }
            let names = fields.map { $0.type.shape.isSingle ? $0.wireName : listName($0.wireName) }
            let named = object(of: fields) {
                value(of: $0, &schemas)
            } name: { field in
                names[fields.firstIndex { $0.name == field.name } ?? 0]
            }
            let all = [named] + maps.map { schemas.schema(of: $0.type.text, in: scope) }
            return Self.body(
                "application/x-www-form-urlencoded",
                isRequired: true,
                schema: maps.isEmpty ? named : .members(["allOf": .array(all)])
            )
        case .multipart:
            let parts = endpoint.parameters(.part)
            guard !parts.isEmpty else { return nil }
            let schema = object(of: parts) { part in
                let isFile = part.type.shape.elements.contains {
                    ["URL", "Data", "HTTPBody", "MultipartFormData"].contains($0.trimmedDescription)
                }
                guard isFile else { return value(of: part, &schemas) }
                let file = JSONText.members(["type": "string", "contentMediaType": "application/octet-stream"])
                return part.type.shape.isSingle ? file : .members(["type": "array", "items": file])
            } name: { part in
                part.type.shape.isSingle ? part.wireName : "\(part.wireName)[]"
            }
            return Self.body("multipart/form-data", isRequired: true, schema: schema)
        }
    }

    private static func body(_ mediaType: String, isRequired: Bool, schema: JSONText) -> JSONText {
        .members([
            "required": isRequired ? .boolean(true) : nil,
            "content": .members([:]).adding(mediaType, .members(["schema": schema])),
        ])
    }

    private func object(
        of parameters: [Parameter],
        schema: (Parameter) -> JSONText,
        name: (Parameter) -> String
    ) -> JSONText {
        let required = parameters.filter { !$0.type.isOptional }.map { JSONText.string(name($0)) }
        return .members([
            "type": "object",
            "properties": .object(parameters.map { JSONText.Member(name: name($0), value: schema($0)) }),
            "required": required.isEmpty ? nil : .array(required),
        ])
    }

    /// The content type that the method sets.
    private var contentType: String? {
        let header = endpoint.headers.first { $0.name.lowercased() == "content-type" }
        if case .text(let text)? = header?.value.first, header?.value.count == 1 { return text }
        return nil
    }

    /// The media type of an encoded body.
    private var mediaType: String { contentType ?? "application/json" }

    // MARK: Responses

    private mutating func responses(_ schemas: inout SchemaWriter) -> JSONText {
        var responses = JSONText.object([])
        if endpoint.kind == .byStatus, let result = endpoint.output.resultType {
            responses = responsesByStatus(result, &schemas)
        } else if endpoint.kind == .webSocket {
            // OpenAPI has no messages of WebSockets: the response is that of the upgrade.
            responses = responses.adding("101", Self.response("WebSocket", nil))
        } else {
            responses = responses.adding("2XX", Self.response("Success", content(&schemas)))
        }
        for body in endpoint.statusErrorBodies {
            let schema = schemas.schema(of: body.type.replacing(".self", with: ""), in: scope)
            for key in StatusCase.Statuses(body.statuses).keys {
                responses = responses.adding(key, Self.response("Failure", Self.json(schema)))
            }
        }
        if let type = endpoint.errorBody {
            let schema = schemas.schema(of: type.replacing(".self", with: ""), in: scope)
            responses = responses.adding("default", Self.response("Failure", Self.json(schema)))
        }
        return responses
    }

    private func responsesByStatus(_ result: String, _ schemas: inout SchemaWriter) -> JSONText {
        guard let declaration = schemas.types.find(result, in: scope.path)?.node.as(EnumDeclSyntax.self) else {
            return JSONText.object([]).adding("2XX", Self.response("Success", nil))
        }
        var reader = StatusResultReader()
        var responses = JSONText.object([])
        for statusCase in reader.read(declaration) {
            let content: JSONText? =
                switch statusCase.payload {
                case .nothing, .response: nil
                case .body(let type):
                    Self.json(schemas.schema(of: Output.decodedType(in: type) ?? type, in: scope))
                }
            for key in statusCase.statuses?.flatMap(\.keys) ?? ["default"] {
                responses = responses.adding(key, Self.response(statusCase.name, content))
            }
        }
        return responses
    }

    private static func response(_ description: String, _ content: JSONText?) -> JSONText {
        .members(["description": .string(description), "content": content])
    }

    private static func json(_ schema: JSONText) -> JSONText { media("application/json", schema) }

    private static func media(_ type: String, _ schema: JSONText?) -> JSONText {
        JSONText.object([]).adding(type, .members(["schema": schema]))
    }

    /// The content of a successful response.
    private func content(_ schemas: inout SchemaWriter) -> JSONText? {
        switch endpoint.output {
        case .nothing: endpoint.kind == .download ? Self.media("*/*", nil) : nil
        case .response: Self.media("*/*", nil)
        case .webSocket, .reconnectingWebSocket: nil
        case .data: Self.media("application/octet-stream", nil)
        case .text where endpoint.keyPath == nil: Self.media("text/plain", .members(["type": "string"]))
        case .text: Self.json(nested(.members(["type": "string"])))
        case .value(let type, _), .typedResponse(let type): Self.json(nested(schemas.schema(of: type, in: scope)))
        case .pages(let item):
            Self.json(nested(.members(["type": "array", "items": schemas.schema(of: item, in: scope)])))
        case .decodedEvents(let type): Self.media("text/event-stream", schemas.schema(of: type, in: scope))
        case .decodedLines(let type): Self.media("application/jsonl", schemas.schema(of: type, in: scope))
        case .stream(.sequence), .stream(.serverSentEvents), .stream(.events):
            Self.media("text/event-stream", .members(["type": "string"]))
        case .stream(.lines): Self.media("text/plain", .members(["type": "string"]))
        case .stream(.body), .stream(.response): Self.media("*/*", nil)
        }
    }

    /// Returns the schema of an object that has a value at the endpoint's key path.
    private func nested(_ schema: JSONText) -> JSONText {
        guard let literal = endpoint.keyPath else { return schema }
        return literal.dropFirst().dropLast().split(separator: ".").reversed().reduce(schema) { inner, name in
            .members([
                "type": "object", "properties": JSONText.object([]).adding(String(name), inner),
                "required": .array([.string(String(name))]),
            ])
        }
    }

    // MARK: Security

    private mutating func security() -> JSONText? {
        guard let scheme = endpoint.authorization, scheme != "nil" else { return nil }
        let (name, http): (String, String) =
            switch scheme {
            case ".bearer": ("bearer", "bearer")
            case ".basic": ("basic", "basic")
            default:
                (
                    "authorization",
                    scheme.split(separator: "\"").dropFirst().first.map { String($0).lowercased() } ?? "bearer"
                )
            }
        securitySchemes = [
            JSONText.Member(name: name, value: .members(["type": "http", "scheme": .string(http)]))
        ]
        return .array([JSONText.object([]).adding(name, .array([]))])
    }
}

extension JSONText {
    /// Returns an object with an additional member, unless it has one of this name.
    func adding(_ name: String, _ value: JSONText) -> JSONText {
        guard case .object(let members) = self, self[name] == nil else { return self }
        return .object(members + [Member(name: name, value: value)])
    }

    /// The schema in which Booleans are the numbers 0 and 1.
    fileprivate var replacingBooleans: JSONText {
        switch self {
        case .object where self["type"] == "boolean":
            .members(["type": "integer", "enum": .array([.integer(0), .integer(1)])])
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.replacingBooleans) })
        case .array, .string, .integer, .boolean: self
        }
    }
}

extension StatusCase.Statuses {
    /// The keys of a responses object: a status, a class of statuses such as `5XX`, or several.
    fileprivate var keys: [String] {
        guard let range else { return [] }
        if range.lowerBound.isMultiple(of: 100), range.upperBound == range.lowerBound + 99 {
            return ["\(range.lowerBound / 100)XX"]
        }
        return range.map(String.init)
    }
}
#endif
