import MoyaCodeText

extension ModelBuilder {
    /// Returns the methods of an operation: one, or two if its response may also be a stream.
    mutating func methods(for operation: Operation, name: String, words: Words, tag: String) -> [APIMethod] {
        let tagWords = Words(of: tag)
        var method = APIMethod(
            name: name,
            documentation: documentation(of: operation),
            isDeprecated: operation.isDeprecated,
            method: operation.method,
            path: [],
            location: operation.location
        )
        method.baseURL = baseURL(of: operation)
        if ["POST", "PATCH"].contains(operation.method) {
            let hasKey = operation.parameters.contains { $0.isIdempotencyKey }
            method.idempotency = hasKey ? .bare : operation.isIdempotent ? .quoted : nil
        }
        method.retry = operation.retry
        readParameters(of: operation, words: words, tag: tagWords, into: &method)
        method.authorization = authorization(of: operation)
        readBody(of: operation, words: words, tag: tagWords, into: &method)
        method.errors = errors(of: operation, words: words, tag: tagWords)
        let results = results(of: operation, words: words, tag: tagWords)
        (method.result, method.resultIsOptional) = (results.value, results.isOptional)
        method.emptyResponses = results.emptyResponses
        method.sample = sample(of: operation, method)
        method.resultHasHeaders = hasUsefulHeaders(operation)
        // A target is one request, whose parameters select the page.
        if configuration.hasPagination, configuration.style == .api {
            method.pagination = paging(of: operation, method)
        }
        if let page = method.pagination { removePageParameters(page.pagination, from: &method) }
        guard let stream = results.stream else { return [method] }
        if results.hasOnlyStream {
            (method.result, method.resultIsOptional, method.sample) = (stream, false, nil)
            method.emptyResponses = []
            return [method]
        }
        // The server chooses by the accepted types.
        let stored: Set<APIResult> = [.text, .data]
        if !stored.contains(method.result) { method.accept = "application/json" }
        var streamed = method
        streamed.name = name + "Stream"
        streamed.documentation.summary = method.documentation.summary.map { $0.withoutPeriod + ", as a stream." }
        streamed.result = stream
        (streamed.resultIsOptional, streamed.pagination, streamed.sample) = (false, nil, nil)
        streamed.emptyResponses = []
        streamed.accept = results.streamType
        return [method, streamed]
    }

    private func documentation(of operation: Operation) -> Documentation {
        guard let summary = operation.summary, !summary.isEmpty else { return Documentation(operation.description) }
        let details = operation.description.flatMap { $0 == summary ? nil : $0 }
        return Documentation(summary, details: details)
    }

    // MARK: Parameters

    private mutating func readParameters(
        of operation: Operation,
        words: Words,
        tag: Words,
        into method: inout APIMethod
    ) {
        var names = UniqueNames(reserved: ["body"])
        var identifiers: [String: String] = [:]
        for parameter in operation.parameters {
            if parameter.isIdempotencyKey, method.idempotency != nil { continue }
            let found = self.parameters(for: parameter, operation: words, tag: tag, &names)
            if parameter.place == .path, let first = found.first { identifiers[parameter.name] = first.name }
            method.parameters += found
        }
        readPath(operation, identifiers, into: &method)
        method.hasBrackets = method.parameters.contains(where: \.hasBrackets)
        // Parameters that a call may omit come last.
        method.parameters =
            method.parameters.filter { $0.defaultValue == nil && !$0.type.isOptional }
            + method.parameters.filter { $0.defaultValue != nil || $0.type.isOptional }
    }

    private func readPath(_ operation: Operation, _ identifiers: [String: String], into method: inout APIMethod) {
        // A fragment is no part of a request: some documents tell operations with the same path apart by it.
        var rest = operation.path.prefix { $0 != "#" }
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            let identifier = identifiers[name] ?? name
            let prefix = method.parameters.first { $0.name == identifier && $0.place == .path }?.pathPrefix ?? ""
            let text = String(rest[..<start]) + prefix
            if !text.isEmpty { method.path.append(.text(text)) }
            method.path.append(.parameter(identifier))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { method.path.append(.text(String(rest))) }
    }

    /// Returns the parameters of the code for one of the document.
    private mutating func parameters(
        for parameter: Parameter,
        operation: Words,
        tag: Words,
        _ names: inout UniqueNames
    ) -> [APIParameter] {
        guard let schema = parameter.schema else {
            return [self.parameter(parameter, TypeBuilder.Use(type: .string), nil, &names)]
        }
        if parameter.place == .header,
            ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
        {
            // OpenAPI ignores these, because media types and security schemes describe them.
            return []
        }
        let content = types.flattening.flatten(schema)
        let isExplodedObject =
            (parameter.place == .query && parameter.style == .form && parameter.isExploded
                && parameter.mediaType == nil)
            || parameter.place == .querystring
        if isExplodedObject, !content.properties.isEmpty, content.alternatives.isEmpty {
            return content.properties.map { property in
                var part = parameter
                part.name = property.name
                part.place = .query
                part.isRequired = parameter.isRequired && content.required.contains(property.name)
                part.description = property.schema.content.description
                part.style = .form
                let use = types.type(of: property.schema, context(Words(of: property.name), operation, tag))
                return self.parameter(part, use, property.schema, &names)
            }
        }
        let use = types.type(of: schema, context(Words(of: parameter.name), operation, tag))
        var parameter = parameter
        if parameter.place == .querystring {
            guard isObject(use.type) else {
                diagnostics.warn(.parameter, "The whole query is no object; it is ignored.", at: parameter.location)
                return []
            }
            (parameter.place, parameter.style, parameter.isExploded, parameter.mediaType) = (.query, .form, true, nil)
        }
        return [self.parameter(parameter, use, schema, &names)]
    }

    private func context(_ words: Words, _ operation: Words, _ tag: Words) -> TypeBuilder.Context {
        TypeBuilder.Context(words: words, qualifier: operation, tag: tag)
    }

    private mutating func parameter(
        _ parameter: Parameter,
        _ use: TypeBuilder.Use,
        _ schema: Schema?,
        _ names: inout UniqueNames
    ) -> APIParameter {
        var words = Words(of: parameter.name)
        if parameter.place == .header, words.all.first == "x", words.all.count > 1 { words.all.removeFirst() }
        let base = configuration.naming.value(words)
        let name = names.take([
            ReservedNames.members[base] ?? base,
            base + parameter.place.rawValue.prefix(1).uppercased() + parameter.place.rawValue.dropFirst(),
        ])
        let place: APIParameter.Place =
            switch parameter.place {
            case .path: .path
            case .query, .querystring: .query
            case .header: .header
            case .cookie: .cookie
            }
        var type = use.type
        var prefix = ""
        if parameter.mediaType.map({ MediaKind($0) == .json }) == true {
            type = .generic("JSONText", type)
        } else {
            (type, prefix) = styled(type, parameter)
        }
        var defaultValue: String?
        let content = schema.map { types.flattening.flatten($0) }
        if parameter.isRequired, !use.isNullable, let content {
            let constant = types.constantText(content).map(SwiftText.literal)
            defaultValue =
                parameter.place == .path
                ? nil : constant ?? content.defaultValue.flatMap { types.literal(of: $0, type) }
        }
        let canBeMap =
            place == .query && parameter.style == .form && parameter.isExploded && parameter.mediaType == nil
            && isObject(type)
        var isMap = canBeMap
        if canBeMap, configuration.style == .enum {
            // The parameters of a target are a dictionary, into which only another one is merged.
            if case .dictionary = type { isMap = true } else { isMap = false }
            if !isMap { warnOfMembers(in: parameter) }
        }
        let isOptional = !parameter.isRequired || (use.isNullable && parameter.place != .path)
        return APIParameter(
            wireName: parameter.name,
            name: name,
            place: place,
            type: isOptional ? type.asOptional : type,
            documentation: parameter.description ?? schema?.content.description,
            defaultValue: defaultValue,
            serverDefault: parameter.isRequired ? nil : content?.defaultText,
            isDeprecated: parameter.isDeprecated,
            pathPrefix: prefix,
            isMap: isMap,
            hasBrackets: parameter.style == .deepObject && { if case .array = type { true } else { isObject(type) } }()
        )
    }

    /// Warns that the names of an object's members are written in brackets.
    private mutating func warnOfMembers(in parameter: Parameter) {
        diagnostics.warn(
            .parameter,
            "The members of the object are written as \"\(parameter.name)[member]\".",
            at: parameter.location
        )
    }

    /// Returns the type whose text has the style of a parameter, with the text before it in a path.
    private mutating func styled(_ type: TypeReference, _ parameter: Parameter) -> (TypeReference, String) {
        let prefix =
            switch parameter.style {
            case .label: "."
            case .matrix: ";\(parameter.name)="
            default: ""
            }
        if parameter.place == .cookie || parameter.place == .header || parameter.place == .path {
            if isObject(type) {
                diagnostics.warn(
                    .parameter,
                    "An object in the \(parameter.place.rawValue) is a string that the caller writes.",
                    at: parameter.location
                )
                return (.string, prefix)
            }
        }
        guard case .array(let element) = type else {
            if parameter.place == .query, parameter.style == .form, !parameter.isExploded, isObject(type) {
                warnOfMembers(in: parameter)
            }
            return (type, prefix)
        }
        switch (parameter.place, parameter.style, parameter.isExploded) {
        case (.path, .label, true): return (.generic("DotSeparated", element), prefix)
        case (.path, .matrix, true):
            diagnostics.warn(
                .parameter,
                "The elements are separated by commas, because a repeated name cannot be written.",
                at: parameter.location
            )
            return (.generic("CommaSeparated", element), prefix)
        case (.path, _, _), (.cookie, _, _): return (.generic("CommaSeparated", element), prefix)
        case (.query, .spaceDelimited, false): return (.generic("SpaceSeparated", element), prefix)
        case (.query, .pipeDelimited, false): return (.generic("PipeSeparated", element), prefix)
        case (.query, .form, false): return (.generic("CommaSeparated", element), prefix)
        default: return (type, prefix)
        }
    }

    private func isObject(_ type: TypeReference) -> Bool {
        switch type {
        case .dictionary: true
        case .declared(let id): if case .structure = types[id].kind { true } else { false }
        default: false
        }
    }

    // MARK: Bodies

    private mutating func readBody(of operation: Operation, words: Words, tag: Words, into method: inout APIMethod) {
        guard let body = operation.body, !body.contents.isEmpty else { return }
        if ["GET", "HEAD"].contains(operation.method) {
            let hasProperties = body.contents.contains { content in
                content.schema.map { !types.flattening.flatten($0).isEmptyObject } ?? false
            }
            guard hasProperties else { return }
            diagnostics.warn(.body, "The method \(operation.method) has no body; it is ignored.", at: body.location)
            return
        }
        let content = preferred(body.contents)
        guard let content else { return }
        var kind = MediaKind(content.name)
        let flat = content.schema.map { types.flattening.flatten($0) }
        if kind == .json, flat?.isBinary == true { kind = .binary }
        var result = APIBody(
            kind: .json,
            type: .json,
            contentType: content.name,
            isRequired: body.isRequired,
            documentation: body.description
        )
        if result.contentType.contains("*") {
            result.contentType = kind == .binary ? "application/octet-stream" : "application/json"
        }
        switch kind {
        case .json, .form:
            let noun = kind == .form ? "form" : "body"
            let use = content.schema.map {
                types.type(of: $0, TypeBuilder.Context(words: words + Words([noun]), tag: tag))
            }
            method.hasBrackets = method.hasBrackets || content.encodings.values.contains { $0.style == .deepObject }
            result.type = use?.type ?? .json
            result.kind = kind == .form ? .form : .json
            if use?.isNullable == true { result.isRequired = false }
        case .multipart:
            method.parameters += parts(of: content, operation: words, tag: tag, existing: method.parameters)
            return
        case .text: (result.kind, result.type) = (.text, .known("Data"))
        case .binary: (result.kind, result.type) = (.binary, .known("HTTPBody"))
        case .xml, .lines, .events:
            diagnostics.warn(.body, "The body is \(content.name), which the caller encodes.", at: content.location)
            (result.kind, result.type) = (.text, .known("Data"))
        }
        method.body = result
    }

    /// Returns the content that is sent: JSON if there is one.
    private func preferred(_ contents: [MediaType]) -> MediaType? {
        let ranked = contents.enumerated().sorted { left, right in
            let (first, second) = (MediaKind(left.element.name), MediaKind(right.element.name))
            guard first == second else { return first < second }
            let (isPlain, isOtherPlain) = (
                left.element.name == "application/json", right.element.name == "application/json"
            )
            return isPlain == isOtherPlain ? left.offset < right.offset : isPlain
        }
        return ranked.first?.element
    }

    /// Returns a parameter for each part of a multipart form.
    private mutating func parts(
        of content: MediaType,
        operation: Words,
        tag: Words,
        existing: [APIParameter]
    ) -> [APIParameter] {
        guard let schema = content.schema else { return [] }
        let flat = types.flattening.flatten(schema)
        guard !flat.properties.isEmpty else {
            diagnostics.warn(.body, "The multipart body has no properties; no part is sent.", at: content.location)
            return []
        }
        var names = UniqueNames(reserved: Set(existing.map(\.name)).union(["body"]))
        var parts: [APIParameter] = []
        for property in flat.properties {
            let details = types.flattening.flatten(property.schema)
            if details.isReadOnly { continue }
            var type: TypeReference
            var isNullable = false
            let isList = details.items.map { types.flattening.flatten($0).isBinary } ?? false
            if details.isBinary || (details.isUnspecific && details.contentMediaType != nil) {
                type = .known("URL")
            } else if isList {
                type = .array(.known("URL"))
            } else {
                let use = types.type(of: property.schema, context(Words(of: property.name), operation, tag))
                (type, isNullable) = (use.type, use.isNullable)
                if type.contained != nil || type == .json || { if case .dictionary = type { true } else { false } }(),
                    !isEnumeration(type)
                {
                    type = .generic("JSONText", type)
                }
            }
            let base = configuration.naming.value(Words(of: property.name))
            let isRequired = flat.required.contains(property.name) && !isNullable
            parts.append(
                APIParameter(
                    wireName: property.name,
                    name: names.take([ReservedNames.members[base] ?? base, base + "Part"]),
                    place: .part,
                    type: isRequired ? type : type.asOptional,
                    documentation: property.schema.content.description,
                    defaultValue: isRequired ? types.constantText(details).map(SwiftText.literal) : nil,
                    serverDefault: isRequired ? nil : details.defaultText,
                    isDeprecated: details.isDeprecated,
                    isFile: type == .known("URL") || type == .array(.known("URL"))
                )
            )
        }
        return parts.filter { !$0.type.isOptional && $0.defaultValue == nil }
            + parts.filter { $0.type.isOptional || $0.defaultValue != nil }
    }

    private func isEnumeration(_ type: TypeReference) -> Bool {
        guard case .declared(let id) = type, case .enumeration = types[id].kind else { return false }
        return true
    }

    // MARK: Security

    private mutating func authorization(of operation: Operation) -> APIMethod.Authorization {
        let schemes = Dictionary(document.securitySchemes.map { ($0.name, $0.kind) }, uniquingKeysWith: { $1 })
        var isKnown = operation.security.isEmpty
        for name in operation.security.flatMap(\.schemes) {
            switch schemes[name] {
            case .oauth2, .openIDConnect: return .bearer
            case .http(let scheme, _):
                switch scheme {
                case "bearer": return .bearer
                case "basic": return .basic
                default: return .custom(scheme.prefix(1).uppercased() + scheme.dropFirst())
                }
            case .apiKey, .mutualTLS: isKnown = true
            case nil: break
            }
        }
        if operation.security.contains(where: \.schemes.isEmpty) { isKnown = true }
        if !isKnown {
            diagnostics.warn(
                .security,
                "The security scheme is unknown; no credentials are sent.",
                at: operation.location
            )
        }
        return .none
    }
}

extension String {
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Parameter {
    /// Whether the parameter is the key by which the server recognizes a request that it gets again.
    fileprivate var isIdempotencyKey: Bool { place == .header && name.lowercased() == "idempotency-key" }
}

extension Schema.Content {
    /// Whether the schema is an object without properties.
    var isEmptyObject: Bool {
        properties.isEmpty && !additionalProperties.hasSchema && alternatives.isEmpty
            && (kinds.isEmpty || kinds == [.object])
    }

    /// The text of the default; `nil` for an empty one and for one that is no scalar.
    var defaultText: String? { defaultValue?.scalarText.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the values are the bytes of a file.
    var isBinary: Bool {
        format == "binary" || format == "file"
            || (kinds == [.string] && contentMediaType == "application/octet-stream" && contentEncoding == nil)
    }
}
