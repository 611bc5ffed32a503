/// Builds the description of an API from recorded traffic.
package struct RecordedDocument {
    private let shapes: ValueShapes
    private let paths: RecordedPaths
    private let base: [String]
    private var document: Document
    private var diagnostics = DiagnosticList()

    /// Returns a document with its messages.
    ///
    /// The document has the exchanges with one server: that of an origin, or the most frequent one.
    package static func read(
        _ files: [String],
        origin: String?,
        loader: DocumentFiles
    ) throws(GeneratorFailure) -> (document: Document, warnings: [GeneratorDiagnostic]) {
        var exchanges: [RecordedExchange] = []
        for file in files { exchanges += try HARReader.read(file, files: loader) }
        let location = SourceLocation(file: files.first ?? "", line: 1, column: 1, pointer: "")
        let all = exchanges.filter(\.isAPI)
        let server = origin.flatMap { URLParts($0)?.origin } ?? all.map(\.origin).mostFrequent
        let found = all.filter { $0.origin == server }
        guard let server, !found.isEmpty else {
            let message = "The recording has no exchange with JSON, a form or an empty response."
            throw GeneratorFailure([GeneratorDiagnostic(.error, .filter, message, at: location)])
        }
        var recorded = RecordedDocument(found, server: server, location: location)
        let others = all.count - found.count
        if others > 0 {
            recorded.diagnostics.warn(
                .filter,
                "\(others) exchanges with other servers than \(server) are left out; `--base-url` selects another server.",
                at: location
            )
        }
        recorded.build(found)
        return (recorded.document, recorded.diagnostics.all)
    }

    private init(_ exchanges: [RecordedExchange], server: String, location: SourceLocation) {
        shapes = ValueShapes(file: location.file)
        paths = RecordedPaths(exchanges)
        base = Self.base(of: exchanges)
        document = Document(location: location)
        let host = server.split(separator: "/").last.map(String.init) ?? server
        let names = host.split(separator: ":")[0].split(separator: ".").filter { !["www", "api"].contains($0) }
        document.title = names.first.map(String.init) ?? host
        let url = ([server] + base).joined(separator: "/")
        document.servers = [Server(url: url, location: location)]
    }

    /// Returns the segments such as `api` and `v1` at the begin of all paths, which belong to the base URL.
    private static func base(of exchanges: [RecordedExchange]) -> [String] {
        var base: [String] = []
        while let segment = exchanges.first?.path.dropFirst(base.count).first {
            let isVersion = segment.wholeMatch(of: /v\d+(\.\d+)?/) != nil
            guard isVersion || ["api", "rest", "services"].contains(segment),
                exchanges.allSatisfy({ $0.path.count > base.count + 1 && $0.path[base.count] == segment })
            else { return base }
            base.append(segment)
        }
        return base
    }

    // MARK: Operations

    private struct Key: Hashable {
        var method: String
        var path: String
    }

    private mutating func build(_ exchanges: [RecordedExchange]) {
        var order: [Key] = []
        var groups: [Key: [RecordedExchange]] = [:]
        for exchange in exchanges {
            let key = Key(method: exchange.method, path: path(of: exchange))
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(exchange)
        }
        order.sort { ($0.path, $0.method) < ($1.path, $1.method) }
        // All values are seen before the first schema is made.
        for key in order { addValues(of: groups[key] ?? [], key) }
        for key in order { document.operations.append(operation(key, groups[key] ?? [])) }
        (document.namedSchemas, document.schemas) = shapes.schemas()
        document.tags = []
    }

    private func template(of exchange: RecordedExchange) -> [RecordedPaths.Segment] {
        Array(paths.template(of: exchange.path).dropFirst(base.count))
    }

    private func path(of exchange: RecordedExchange) -> String {
        "/" + template(of: exchange).map(\.text).joined(separator: "/")
    }

    /// The noun of a path: its last segment that is no parameter.
    private func noun(_ path: String) -> Words {
        let literals = path.split(separator: "/").filter { !$0.hasPrefix("{") }
        return literals.last.map { Words(of: String($0)) } ?? Words(["root"])
    }

    private func addValues(of exchanges: [RecordedExchange], _ key: Key) {
        let noun = noun(key.path)
        let isItem = key.path.hasSuffix("}")
        for exchange in exchanges {
            for (name, value) in exchange.query { shapes.add(text: value, to: root(key, "query", name), name: name) }
            for (segment, value) in zip(template(of: exchange), exchange.path.dropFirst(base.count)) {
                if case .parameter(let name) = segment {
                    shapes.add(text: value, to: root(key, "path", name), name: name)
                }
            }
            if let body = exchange.body {
                let verb = key.method == "POST" ? ["new"] : key.method == "PATCH" ? ["changed"] : []
                add(body, to: root(key, "body"), words: Words(verb) + noun.singular)
            }
            guard let body = exchange.responseBody, let text = body.text, MediaKind(body.mediaType) == .json,
                let node = try? JSONText.parse(Array(text.utf8))
            else { continue }
            var words = noun.singular
            if exchange.status >= 400 { words = Words(["error"]) }
            // The object around a list is not an item.
            if exchange.status < 400, !isItem, key.method == "GET", node.members != nil, noun.singular != noun {
                words = noun + Words(["response"])
            }
            shapes.add(
                node,
                to: root(key, "response", "\(exchange.status)"),
                words: node.elements == nil ? words : noun
            )
        }
    }

    private func add(_ body: RecordedExchange.Body, to root: String, words: Words) {
        switch MediaKind(body.mediaType) {
        case .json:
            if let text = body.text, let node = try? JSONText.parse(Array(text.utf8)) {
                shapes.add(node, to: root, words: words)
            }
        case .form, .multipart:
            let fields = body.fields.isEmpty ? Self.fields(body.text ?? "") : body.fields
            let position = Node.Position(line: 1, column: 1)
            let members = fields.map { field in
                let value: Node.Value = TextForm.isInteger(field.value) ? .number(field.value) : .string(field.value)
                return NodeMembers.Member(key: field.name, keyPosition: position, value: Node(value, at: position))
            }
            if !members.isEmpty {
                shapes.add(Node(.object(NodeMembers(members)), at: position), to: root, words: words)
            }
        default: break
        }
    }

    /// Returns the fields of a form.
    private static func fields(_ text: String) -> [(name: String, value: String)] {
        guard text.contains("="), let parts = URLParts("http://form/?" + text.replacing("+", with: "%20")) else {
            return []
        }
        return parts.query
    }

    private func root(_ key: Key, _ parts: String...) -> String {
        ([key.method, key.path] + parts).joined(separator: " ")
    }

    private mutating func operation(_ key: Key, _ exchanges: [RecordedExchange]) -> Operation {
        let location = exchanges[0].location
        var operation = Operation(method: key.method, path: key.path, location: location)
        operation.tags = [
            key.path.split(separator: "/").first { !$0.hasPrefix("{") }.map(String.init) ?? document.title
        ]
        operation.parameters = parameters(key, exchanges)
        if let body = exchanges.compactMap(\.body).first, !["GET", "HEAD"].contains(key.method) {
            let name = body.mediaType.split(separator: ";").first.map(String.init) ?? "application/json"
            let media = MediaType(name: name, schema: shapes.schema(of: root(key, "body")), location: location)
            let isRequired = exchanges.allSatisfy { $0.body != nil }
            operation.body = RequestBody(isRequired: isRequired, contents: [media], location: location)
        }
        operation.responses = responses(key, exchanges)
        operation.security = security(exchanges)
        return operation
    }

    private func parameters(_ key: Key, _ exchanges: [RecordedExchange]) -> [Parameter] {
        let location = exchanges[0].location
        var parameters: [Parameter] = PathTemplateText.variables(of: key.path).map { name in
            Parameter(
                name: name,
                place: .path,
                isRequired: true,
                style: .simple,
                isExploded: false,
                schema: shapes.schema(of: root(key, "path", name)),
                location: location
            )
        }
        var names: [String] = []
        for name in exchanges.flatMap({ $0.query.map(\.name) }) where !names.contains(name) { names.append(name) }
        for name in names where !RecordedSecrets.isSecret(name: name) {
            let isList = exchanges.contains { exchange in exchange.query.count { $0.name == name } > 1 }
            let isRequired =
                exchanges.count > 2 && exchanges.allSatisfy { exchange in exchange.query.contains { $0.name == name } }
            var schema = shapes.schema(of: root(key, "query", name))
            if isList {
                var content = Schema.Content()
                content.kinds = [.array]
                content.items = schema
                schema = Schema(content, at: location)
            }
            parameters.append(
                Parameter(
                    name: name,
                    place: .query,
                    isRequired: isRequired,
                    style: .form,
                    isExploded: true,
                    schema: schema,
                    location: location
                )
            )
        }
        return parameters
    }

    private func responses(_ key: Key, _ exchanges: [RecordedExchange]) -> [Response] {
        let statuses = Set(exchanges.map(\.status)).sorted()
        return statuses.map { status in
            let found = exchanges.filter { $0.status == status }
            var contents: [MediaType] = []
            if let body = found.compactMap(\.responseBody).first(where: { $0.text?.isEmpty == false }) {
                let name = body.mediaType.split(separator: ";").first.map(String.init) ?? "application/json"
                var media = MediaType(name: name, location: found[0].location)
                media.schema = shapes.schema(of: root(key, "response", "\(status)"))
                if let text = body.text, let node = try? JSONText.parse(Array(text.utf8)) {
                    media.examples = [RecordedSecrets.masked(node)]
                }
                contents = [media]
            }
            let headers = found.flatMap { $0.responseHeaders.map(\.name) }.filter { $0.lowercased() == "link" }
            return Response(
                statuses: .code(status),
                contents: contents,
                headers: headers.prefix(1).map(\.self),
                location: found[0].location
            )
        }
    }

    /// Returns the schemes of the credentials in requests, without the credentials.
    private mutating func security(_ exchanges: [RecordedExchange]) -> [SecurityRequirement] {
        let location = exchanges[0].location
        var found: SecurityScheme?
        for exchange in exchanges where found == nil {
            if let scheme = exchange.header("authorization")?.split(separator: " ").first.map({ $0.lowercased() }) {
                found = SecurityScheme(name: scheme, kind: .http(scheme: scheme, bearerFormat: nil), location: location)
            } else if let header = exchange.headers.first(where: {
                ["x-api-key", "api-key", "x-auth-token"].contains($0.name.lowercased())
            }) {
                found = SecurityScheme(
                    name: "key",
                    kind: .apiKey(name: header.name, place: .header),
                    location: location
                )
            } else if let item = exchange.query.first(where: { RecordedSecrets.isSecret(name: $0.name) }) {
                found = SecurityScheme(name: "key", kind: .apiKey(name: item.name, place: .query), location: location)
            }
        }
        guard let found else { return [] }
        if !document.securitySchemes.contains(where: { $0.name == found.name }) {
            document.securitySchemes.append(found)
        }
        return [SecurityRequirement(schemes: [found.name])]
    }
}
