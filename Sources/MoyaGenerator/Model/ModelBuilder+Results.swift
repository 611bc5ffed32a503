extension ModelBuilder {
    /// The result of an operation, with the stream that it may be instead.
    struct Results {
        var value = APIResult.nothing
        var isOptional = false
        var stream: APIResult?
        var hasOnlyStream = false
    }

    mutating func results(of operation: Operation, words: Words, tag: Words) -> Results {
        var successes = operation.responses.filter(\.statuses.isSuccess)
        if successes.isEmpty { successes = operation.responses.filter { $0.statuses == .any } }
        var results = Results()
        var schemas: [Schema] = []
        var values: [APIResult] = []
        var isEmpty = false
        for response in successes {
            let contents = response.contents.sorted { MediaKind($0.name) < MediaKind($1.name) }
            if let content = contents.first(where: { [.events, .lines].contains(MediaKind($0.name)) }) {
                results.stream = results.stream ?? stream(content, words: words, tag: tag)
            }
            let stored = contents.filter { ![.events, .lines].contains(MediaKind($0.name)) }
            // `application/json` comes before other types of JSON.
            guard let content = stored.first(where: { $0.name == "application/json" }) ?? stored.first else {
                if contents.isEmpty { isEmpty = true }
                continue
            }
            let result = self.result(content, words: words, tag: tag)
            if !values.contains(result.value) {
                values.append(result.value)
                if let schema = content.schema { schemas.append(schema) }
            }
            results.isOptional = results.isOptional || result.isNullable
        }
        results.hasOnlyStream = values.isEmpty && results.stream != nil
        results.isOptional = results.isOptional || (isEmpty && !values.isEmpty)
        results.value = values.first ?? .nothing
        if values.count > 1 { results.value = combined(values, schemas, operation, words: words, tag: tag) }
        if results.value == .data || results.value == .text { results.isOptional = false }
        return results
    }

    /// Returns one result for several: a union of types of JSON, and otherwise bytes.
    private mutating func combined(_ values: [APIResult], _ schemas: [Schema], _ operation: Operation, words: Words, tag: Words) -> APIResult {
        let types = values.compactMap { if case .value(let type) = $0 { type } else { nil } }
        guard types.count == values.count, schemas.count == values.count else {
            diagnostics.warn(.response, "The successful responses have several content types; the bytes are returned.", at: operation.location)
            return .data
        }
        var content = Schema.Content()
        content.anyOf = schemas
        let context = TypeBuilder.Context(words: words + Words(["result"]), qualifier: tag)
        return .value(self.types.type(of: Schema(content, at: operation.location), context).type)
    }

    private mutating func result(_ content: MediaType, words: Words, tag: Words) -> (value: APIResult, isNullable: Bool) {
        switch MediaKind(content.name) {
        case .json:
            guard let schema = content.schema else { return (.value(.json), false) }
            if types.flattening.flatten(schema).isBinary { return (.data, false) }
            let context = TypeBuilder.Context(words: words + Words(["response"]), qualifier: tag)
            let use = types.type(of: schema, context)
            return (.value(use.type), use.isNullable)
        case .text: return (.text, false)
        case .xml:
            diagnostics.warn(.response, "The response is \(content.name), whose text is returned.", at: content.location)
            return (.text, false)
        case .form, .multipart, .binary, .events, .lines: return (.data, false)
        }
    }

    private mutating func stream(_ content: MediaType, words: Words, tag: Words) -> APIResult {
        let context = TypeBuilder.Context(words: words + Words(["event"]), qualifier: tag)
        let isLines = MediaKind(content.name) == .lines
        let type: TypeReference? =
            if let item = content.itemSchema {
                types.type(of: item, context).full
            } else {
                content.schema.map { types.type(of: $0, context).full }
            }
        return isLines ? .lines(type) : .events(type)
    }

    // MARK: Errors

    mutating func errorType(of operation: Operation, words: Words) -> TypeReference? {
        let hasSuccess = operation.responses.contains { $0.statuses.isSuccess }
        var found: [(type: TypeReference, schema: Schema)] = []
        for response in operation.responses where response.statuses.isFailure {
            if response.statuses == .any, !hasSuccess { continue }
            guard let content = response.contents.first(where: { MediaKind($0.name) == .json }), let schema = content.schema else { continue }
            let context = TypeBuilder.Context(words: Words(of: apiName) + Words(["error"]), qualifier: words)
            let type = types.errorType(of: schema, context).type
            guard canBeError(type), !found.contains(where: { $0.type == type }) else { continue }
            found.append((type, schema))
        }
        guard found.count > 1 else { return found.first?.type }
        let key = found.map { "\($0.type)" }.sorted().joined(separator: "|")
        if let known = combinedErrors[key] { return known }
        var content = Schema.Content()
        content.anyOf = found.map(\.schema)
        let names = found.compactMap { $0.type.contained }.map { types[$0].words }
        let combinedWords = found.count == 2 ? names[0] + Words(["or"]) + names[1] : words + Words(["error"])
        let context = TypeBuilder.Context(words: combinedWords, qualifier: words)
        let type = types.union(of: found.map(\.type), found.map(\.schema), Schema(content, at: operation.location), context)
        guard canBeError(type) else { return found.first?.type }
        combinedErrors[key] = type
        return type
    }

    /// Whether an extension can make a type an error.
    private func canBeError(_ type: TypeReference) -> Bool {
        guard case .declared(let id) = type else { return false }
        if case .enumeration = types[id].kind { return false }
        return true
    }

    // MARK: Pages

    /// Returns the items of an operation whose list is divided into pages.
    mutating func paging(of operation: Operation, _ method: APIMethod) -> PagedResult? {
        guard operation.method == "GET", case .value(let type) = method.result, !method.resultIsOptional else { return nil }
        let query = Set(method.parameters.filter { $0.place == .query }.map(\.wireName))
        let hasLink = operation.responses.contains { $0.statuses.isSuccess && $0.headers.contains { $0.lowercased() == "link" } }
        if case .array(let item) = type {
            let isPaged = hasLink || operation.pagination == .link
            if let hint = operation.pagination, hint != .link { return PagedResult(pagination: hint, itemType: item) }
            return isPaged ? PagedResult(pagination: .link, itemType: item) : nil
        }
        guard case .declared(let id) = type, case .structure(let structure) = types[id].kind else { return nil }
        let lists = structure.properties.filter { if case .array = $0.type { true } else { false } }
        let list = lists.count == 1 ? lists.first : lists.first { ["data", "items", "results", "value", "entries"].contains($0.wireName) }
        guard let list, !list.isNullable, case .array(let item) = list.type, !list.wireName.contains(".") else { return nil }
        func paged(_ pagination: PaginationHint) -> PagedResult {
            PagedResult(pagination: pagination, itemType: item, keyPath: list.wireName)
        }
        if let hint = operation.pagination { return paged(hint) }
        if hasLink { return paged(.link) }
        let members = Set(structure.properties.map(\.wireName))
        if query.contains("starting_after"), members.contains("has_more"), hasIdentifier(item) {
            return paged(.cursor(at: "\(list.wireName).id", query: "starting_after", hasMore: "has_more"))
        }
        let cursors = ["cursor", "page_token", "pageToken", "next_token", "nextToken", "after", "page_cursor", "marker"]
        let nexts = [
            "next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken", "next_marker",
        ]
        if let cursor = cursors.first(where: query.contains), let next = nexts.first(where: members.contains) {
            return paged(.cursor(at: next, query: cursor, hasMore: nil))
        }
        return nil
    }

    private func hasIdentifier(_ type: TypeReference) -> Bool {
        guard case .declared(let id) = type, case .structure(let structure) = types[id].kind else { return false }
        return structure.properties.contains { $0.wireName == "id" && $0.isRequired && $0.type == .string }
    }

    /// Removes the parameters that the sequence of pages sets.
    func removePageParameters(_ pagination: PaginationHint, from method: inout APIMethod) {
        let names: Set<String> =
            switch pagination {
            case .link, .nextURL: ["page"]
            case .cursor(_, "starting_after", _): ["starting_after", "ending_before"]
            case .cursor(_, let query, _), .pageNumbers(let query), .offsets(let query): [query]
            }
        method.parameters.removeAll { $0.place == .query && names.contains($0.wireName) && $0.type.isOptional }
    }
}
