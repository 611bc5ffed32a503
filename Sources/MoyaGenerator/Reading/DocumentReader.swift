/// Reads a document of OpenAPI 3.0, 3.1 or 3.2.
package struct DocumentReader {
    var schemas: SchemaReader
    var diagnostics = DiagnosticList()
    /// The retries of operations that declare none.
    private var retry: RetryHint?

    private init(schemas: SchemaReader) { self.schemas = schemas }

    /// Returns a document with its messages.
    ///
    /// - Throws: The errors of a document that cannot be read.
    package static func read(
        _ path: String,
        files: DocumentFiles
    ) throws(GeneratorFailure) -> (document: Document, warnings: [GeneratorDiagnostic]) {
        let root = try files.root(of: path)
        let isPlain = try checkVersion(root)
        var reader = DocumentReader(schemas: SchemaReader(hasPlainReferences: isPlain))
        let document = reader.readDocument(root)
        let messages = reader.diagnostics.all + reader.schemas.diagnostics.all
        guard !messages.contains(where: { $0.severity == .error }) else {
            throw GeneratorFailure(messages.filter { $0.severity == .error })
        }
        return (document, messages)
    }

    /// Returns whether a reference hides its siblings.
    private static func checkVersion(_ root: DocumentCursor) throws(GeneratorFailure) -> Bool {
        func failure(_ message: String, at cursor: DocumentCursor) -> GeneratorFailure {
            GeneratorFailure([GeneratorDiagnostic(.error, .version, message, at: cursor.location)])
        }
        guard root.node.members != nil else {
            throw failure("A document is an object, and not \(root.node.kindName).", at: root)
        }
        if let swagger = root["swagger"] {
            throw failure("The document is in Swagger 2.0: convert it to OpenAPI 3 first.", at: swagger)
        }
        guard let version = root["openapi"], let text = version.node.scalarText else {
            throw failure("The document has no `openapi` with a version.", at: root)
        }
        let parts = text.split(separator: ".").prefix(2).joined(separator: ".")
        guard ["3.0", "3.1", "3.2"].contains(parts) else {
            throw failure("The version \"\(text)\" is unknown: 3.0, 3.1 and 3.2 are read.", at: version)
        }
        return parts == "3.0"
    }

    private mutating func readDocument(_ root: DocumentCursor) -> Document {
        var document = Document(location: root.location)
        if let info = root["info"] {
            document.title = info.text("title") ?? ""
            document.version = info.text("version") ?? ""
            document.summary = info.text("summary")
            document.description = info.text("description")
        }
        document.servers = readServers(root["servers"])
        document.tags = (root["tags"]?.elements ?? []).compactMap { tag in
            guard let name = tag.text("name") else { return nil }
            return Tag(name: name, description: tag.text("description") ?? tag.text("summary"))
        }
        for (_, schema) in root["components"]?["schemas"]?.members ?? [] {
            document.namedSchemas.append(schemas.reference(schema))
        }
        document.securitySchemes = readSecuritySchemes(root["components"]?["securitySchemes"])
        let security = readSecurity(root["security"]) ?? []
        retry = RetryHintReader.read(root)
        document.operations = readPaths(root["paths"], security: security)
        schemas.readPending()
        document.schemas = schemas.schemas
        return document
    }

    // MARK: Servers and security

    mutating func readServers(_ cursor: DocumentCursor?) -> [Server] {
        (cursor?.elements ?? []).compactMap { server in
            guard let url = server.text("url") else {
                diagnostics.error(.server, "A server needs a `url`.", at: server.location)
                return nil
            }
            let variables = (server["variables"]?.members ?? []).map { name, variable in
                Server.Variable(
                    name: name,
                    values: variable["enum"]?.node.elements?.compactMap(\.scalarText) ?? [],
                    defaultValue: variable.text("default") ?? "",
                    description: variable.text("description")
                )
            }
            return Server(
                url: url,
                description: server.text("description"),
                name: server.text("name"),
                variables: variables,
                location: server.location
            )
        }
    }

    private mutating func readSecurity(_ cursor: DocumentCursor?) -> [SecurityRequirement]? {
        guard let cursor else { return nil }
        return cursor.elements.map { SecurityRequirement(schemes: $0.members.map(\.key)) }
    }

    private mutating func readSecuritySchemes(_ cursor: DocumentCursor?) -> [SecurityScheme] {
        (cursor?.members ?? []).compactMap { name, value in
            guard let scheme = resolve(value), let kind = readSecurityKind(scheme) else { return nil }
            return SecurityScheme(
                name: name,
                description: scheme.text("description"),
                kind: kind,
                location: scheme.location
            )
        }
    }

    private mutating func readSecurityKind(_ scheme: DocumentCursor) -> SecurityScheme.Kind? {
        switch scheme.text("type") {
        case "http":
            return .http(
                scheme: scheme.text("scheme")?.lowercased() ?? "bearer",
                bearerFormat: scheme.text("bearerFormat")
            )
        case "apiKey":
            return .apiKey(
                name: scheme.text("name") ?? "",
                place: scheme.text("in").flatMap(Parameter.Place.init) ?? .header
            )
        case "oauth2":
            return .oauth2(
                (scheme["flows"]?.members ?? []).filter { !$0.key.hasPrefix("x-") }.map { name, flow in
                    OAuthFlow(
                        name: name,
                        authorizationURL: flow.text("authorizationUrl"),
                        tokenURL: flow.text("tokenUrl"),
                        scopes: flow["scopes"]?.members.map(\.key) ?? []
                    )
                }
            )
        case "openIdConnect": return .openIDConnect(url: scheme.text("openIdConnectUrl") ?? "")
        case "mutualTLS": return .mutualTLS
        default:
            diagnostics.warn(
                .security,
                "The type of the security scheme is unknown; it is ignored.",
                at: scheme.location
            )
            return nil
        }
    }

    // MARK: Paths

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private mutating func readPaths(_ cursor: DocumentCursor?, security: [SecurityRequirement]) -> [Operation] {
        var operations: [Operation] = []
        if let cursor, cursor.node.members == nil {
            diagnostics.error(.structure, "`paths` is an object, and not \(cursor.node.kindName).", at: cursor.location)
        }
        for (path, value) in cursor?.members ?? [] where !path.hasPrefix("x-") {
            guard path.hasPrefix("/") else {
                diagnostics.error(.structure, "The path \"\(path)\" does not begin with a slash.", at: value.location)
                continue
            }
            guard let item = resolve(value) else { continue }
            var found = Self.methods.compactMap { name in item[name].map { (name.uppercased(), $0) } }
            found += item["additionalOperations"]?.members ?? []
            // The order of the document, so that the code is in the order that its readers know.
            found.sort { $0.1.location < $1.1.location }
            for (method, reference) in found {
                guard let operation = resolve(reference) else { continue }
                guard operation.node.members != nil else {
                    diagnostics.error(.structure, "An operation is an object.", at: operation.location)
                    continue
                }
                operations.append(
                    readOperation(operation, method: method, path: path, item: item, security: security)
                )
            }
        }
        return operations
    }

    private mutating func readOperation(
        _ cursor: DocumentCursor,
        method: String,
        path: String,
        item: DocumentCursor,
        security: [SecurityRequirement]
    ) -> Operation {
        var operation = Operation(method: method, path: path, location: cursor.location)
        operation.id = cursor.text("operationId")
        operation.tags = cursor["tags"]?.node.elements?.compactMap(\.scalarText) ?? []
        operation.summary = cursor.text("summary") ?? item.text("summary")
        operation.description = cursor.text("description") ?? item.text("description")
        operation.isDeprecated = cursor["deprecated"]?.node.bool ?? false
        operation.parameters = readParameters(cursor, item: item, path: path)
        operation.body = cursor["requestBody"].flatMap { readBody($0) }
        operation.responses = (cursor["responses"]?.members ?? []).compactMap { status, response in
            status.hasPrefix("x-") ? nil : readResponse(response, status: status)
        }
        operation.security = readSecurity(cursor["security"]) ?? security
        let servers = cursor["servers"] ?? item["servers"]
        operation.servers = servers.map { readServers($0) }
        operation.pagination = PaginationHintReader.read(cursor)
        operation.isIdempotent = cursor["x-idempotent"]?.node.bool ?? false
        operation.retry = RetryHintReader.read(cursor) ?? retry
        return operation
    }

    // MARK: Parameters and bodies

    private mutating func readParameters(_ operation: DocumentCursor, item: DocumentCursor, path: String) -> [Parameter]
    {
        var parameters: [Parameter] = []
        for cursor in (operation["parameters"]?.elements ?? []) + (item["parameters"]?.elements ?? []) {
            guard let parameter = readParameter(cursor) else { continue }
            // The operation's parameter replaces that of the path.
            let isNew = !parameters.contains { $0.name == parameter.name && $0.place == parameter.place }
            if isNew { parameters.append(parameter) }
        }
        let variables = PathTemplateText.variables(of: path)
        for parameter in parameters where parameter.place == .path && !variables.contains(parameter.name) {
            diagnostics.warn(
                .parameter,
                "The path has no \"{\(parameter.name)}\"; the parameter is ignored.",
                at: parameter.location
            )
        }
        parameters.removeAll { $0.place == .path && !variables.contains($0.name) }
        for name in variables where !parameters.contains(where: { $0.place == .path && $0.name == name }) {
            diagnostics.warn(
                .parameter,
                "The path's \"{\(name)}\" is no parameter; it is a string.",
                at: operation.location
            )
            parameters.append(
                Parameter(
                    name: name,
                    place: .path,
                    isRequired: true,
                    style: .simple,
                    isExploded: false,
                    location: operation.location
                )
            )
        }
        let order = parameters.enumerated().sorted { left, right in
            let (first, second) = (
                variables.firstIndex(of: left.element.name), variables.firstIndex(of: right.element.name)
            )
            let isFirstInPath = left.element.place == .path
            guard isFirstInPath == (right.element.place == .path) else { return isFirstInPath }
            guard isFirstInPath else { return left.offset < right.offset }
            return (first ?? 0, left.offset) < (second ?? 0, right.offset)
        }
        return order.map(\.element)
    }

    private mutating func readParameter(_ reference: DocumentCursor) -> Parameter? {
        guard let cursor = resolve(reference) else { return nil }
        guard let name = cursor.text("name"), let placeName = cursor.text("in") else {
            diagnostics.error(.parameter, "A parameter needs `name` and `in`.", at: cursor.location)
            return nil
        }
        guard let place = Parameter.Place(rawValue: placeName) else {
            diagnostics.error(.parameter, "The place \"\(placeName)\" of a parameter is unknown.", at: cursor.location)
            return nil
        }
        let content = cursor["content"]?.members.first
        let defaultStyle: Parameter.Style = place == .query || place == .cookie ? .form : .simple
        var style = defaultStyle
        if let text = cursor.text("style") {
            if let known = Parameter.Style(rawValue: text) {
                style = known
            } else {
                diagnostics.warn(
                    .parameter,
                    "The style \"\(text)\" is unknown; \"\(defaultStyle.rawValue)\" is used.",
                    at: cursor.location
                )
            }
        }
        return Parameter(
            name: name,
            place: place,
            description: cursor.text("description"),
            isRequired: place == .path || cursor["required"]?.node.bool ?? false,
            isDeprecated: cursor["deprecated"]?.node.bool ?? false,
            style: style,
            isExploded: cursor["explode"]?.node.bool ?? (style == .form || style == .cookie || style == .deepObject),
            schema: (cursor["schema"] ?? content?.value["schema"]).map { schemas.read($0) },
            mediaType: content?.key,
            location: cursor.location
        )
    }

    private mutating func readBody(_ reference: DocumentCursor) -> RequestBody? {
        guard let cursor = resolve(reference) else { return nil }
        return RequestBody(
            description: cursor.text("description"),
            isRequired: cursor["required"]?.node.bool ?? false,
            contents: readContents(cursor["content"]),
            location: cursor.location
        )
    }

    private mutating func readContents(_ cursor: DocumentCursor?) -> [MediaType] {
        var contents: [MediaType] = []
        for (name, reference) in cursor?.members ?? [] {
            guard let value = resolve(reference) else { continue }
            let encodings = (value["encoding"]?.members ?? []).map { name, encoding in
                (
                    name,
                    MediaType.Encoding(
                        contentType: encoding.text("contentType"),
                        style: encoding.text("style").flatMap(Parameter.Style.init),
                        isExploded: encoding["explode"]?.node.bool
                    )
                )
            }
            let named = (value["examples"]?.members ?? []).compactMap { try? $0.value.resolved()["value"]?.node }
            contents.append(
                MediaType(
                    name: name,
                    schema: value["schema"].map { schemas.read($0) },
                    itemSchema: value["itemSchema"].map { schemas.read($0) },
                    encodings: Dictionary(encodings, uniquingKeysWith: { $1 }),
                    examples: (value["example"].map { [$0.node] } ?? []) + named,
                    location: value.location
                )
            )
        }
        return contents
    }

    private mutating func readResponse(_ reference: DocumentCursor, status: String) -> Response? {
        guard let cursor = resolve(reference) else { return nil }
        let statuses: Response.Statuses
        if status == "default" {
            statuses = .any
        } else if let code = Int(status), (100...599).contains(code) {
            statuses = .code(code)
        } else if status.uppercased().hasSuffix("XX"), let digit = status.first?.wholeNumberValue, status.count == 3 {
            statuses = .range(digit)
        } else {
            diagnostics.warn(
                .response,
                "The status \"\(status)\" is unknown; the response is ignored.",
                at: cursor.location
            )
            return nil
        }
        return Response(
            statuses: statuses,
            description: cursor.text("description"),
            contents: readContents(cursor["content"]),
            headers: cursor["headers"]?.members.map(\.key) ?? [],
            location: cursor.location
        )
    }

    /// Returns the value at the end of references, or reports why there is none.
    private mutating func resolve(_ cursor: DocumentCursor) -> DocumentCursor? {
        do throws(GeneratorFailure) {
            return try cursor.resolved()
        } catch {
            diagnostics.add(error.diagnostics)
            return nil
        }
    }
}

/// Reads the names in braces of a path.
enum PathTemplateText {
    static func variables(of path: String) -> [String] {
        var names: [String] = []
        var rest = path[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            names.append(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return names
    }
}
