/// Names operations by their identifiers, or by their methods and paths.
struct OperationNames {
    let naming: NamingRules
    let given: [String: String]

    /// Members of targets, clients and mocks, which methods cannot be named after.
    static let reserved: Set = [
        "baseURL", "path", "method", "task", "headers", "validationType", "sampleData", "authorizationType",
        "isPathEscaped", "timeoutInterval", "timeouts", "cachePolicy", "apiEncoder", "apiDecoder", "caller", "provider",
        "init", "idempotencyKeys", "retryChoice", "retryPolicy",
        "self", "handlers", "calls", "state", "urlTemplate", "Handlers", "decoder", "encoder",
    ]

    /// Returns the names of the operations of a service, in order.
    func names(for operations: [Operation], tag: String) -> [String] {
        let tagWords = Words(of: tag)
        let candidates = operations.map { self.candidates(for: $0, tag: tagWords) }
        var counts: [String: Int] = [:]
        for names in candidates { counts[names[0].lowercased(), default: 0] += 1 }
        var unique = UniqueNames(reserved: Self.reserved)
        // Operations whose short names are equal have their full names, so that their order does not matter.
        return zip(operations, candidates).map { operation, names in
            if let id = operation.id, let name = given[id] { return unique.take([name]) }
            return unique.take(counts[names[0].lowercased()] == 1 ? names : Array(names.dropFirst()))
        }
    }

    private static let verbs: Set = [
        "create", "update", "delete", "get", "list", "add", "remove", "set", "replace", "patch", "put", "post",
        "search", "find", "check",
        "enable", "disable", "upload", "download", "cancel", "start", "stop", "retrieve", "send", "submit", "merge",
        "query",
    ]

    /// Returns the words for the types of an operation: `issues/update` is `update issue`.
    func typeWords(for operation: Operation, named name: String, tag: String) -> Words {
        guard let id = operation.id, given[id] == nil, !Words(of: id).isEmpty else { return Words(of: name) }
        let tag = Words(of: tag)
        let short = shortened(id, tag: tag)
        guard short != Words(of: id) else { return short }
        let plain = withoutGet(short, operation)
        let subject = tag.singular
        if plain.all.count == 1 {
            return Self.verbs.contains(plain.all[0]) ? plain + subject : subject + plain
        }
        let hasSubject = plain.all.contains { subject.all.contains($0) || tag.all.contains($0) }
        return plain == short || hasSubject ? plain : subject + plain
    }

    /// Returns names from the shortest to the longest.
    private func candidates(for operation: Operation, tag: Words) -> [String] {
        guard let id = operation.id, !Words(of: id).isEmpty else {
            let words = pathWords(operation)
            return [naming.value(words), naming.value(words + Words(["at"]) + Words(of: operation.path))]
        }
        let full = Words(of: id)
        let short = shortened(id, tag: tag)
        let plain = withoutGet(short, operation)
        return [plain, short, full].map(naming.value)
    }

    /// Returns the words of an identifier without the tag at its begin.
    private func shortened(_ id: String, tag: Words) -> Words {
        let separators: Set<Character> = ["/", ".", "_", "#", ":"]
        let parts = id.split { separators.contains($0) }
        let words = Words(of: id)
        guard parts.count > 1, let first = parts.first else { return words }
        var namespace = Words(of: String(first))
        if namespace.all.last == "controller" || namespace.all.last == "api" { namespace.all.removeLast() }
        guard !namespace.isEmpty, namespace.singular == tag.singular || namespace == tag else { return words }
        let rest = parts.dropFirst().flatMap { Words(of: String($0)).all }
        return rest.isEmpty ? words : Words(rest)
    }

    /// Returns the words without `get` at the begin, and without the names of the parameters at the end: `getPetById` is `pet`.
    private func withoutGet(_ words: Words, _ operation: Operation) -> Words {
        guard operation.method == "GET", words.all.count > 1, let first = words.all.first,
            ["get", "retrieve", "fetch"].contains(first)
        else { return words }
        var rest = Array(words.all.dropFirst())
        if let index = rest.lastIndex(of: "by"), index > 0 {
            let subject = Set(rest[(index + 1)...]).subtracting(["and"])
            let parameters = operation.parameters.filter { $0.place == .path }.flatMap { Words(of: $0.name).all }
            if !subject.isEmpty, subject.isSubset(of: parameters) { rest = Array(rest[..<index]) }
        }
        guard let start = rest.first,
            !["by", "for", "all", "a", "an", "the", "of", "with", "in", "to"].contains(start),
            start.first?.isNumber == false
        else { return words }
        return Words(rest)
    }

    /// Returns words for an operation without an identifier: `GET /users/{id}/repos` is `userRepos`.
    private func pathWords(_ operation: Operation) -> Words {
        let segments = operation.path.split(separator: "/").map(String.init)
        let isItem = segments.last?.hasPrefix("{") == true
        var nouns: [Words] = []
        for (index, segment) in segments.enumerated() where !segment.hasPrefix("{") {
            let words = Words(of: String(segment.prefix { $0 != "{" }))
            let isVersion =
                words.all.count == 1 && words.all[0].first == "v" && words.all[0].dropFirst().allSatisfy(\.isNumber)
            if words.isEmpty || isVersion || words.all == ["api"] { continue }
            let isFollowedByItem = index + 1 < segments.count && segments[index + 1].hasPrefix("{")
            nouns.append(isFollowedByItem ? words.singular : words)
        }
        if operation.method == "POST", !isItem, let last = nouns.popLast() { nouns.append(last.singular) }
        let noun = Words(nouns.suffix(3).flatMap(\.all))
        let verb: [String] =
            switch operation.method {
            case "GET": []
            case "POST": ["create"]
            case "PUT": ["replace"]
            case "PATCH": ["update"]
            case "DELETE": ["delete"]
            default: [operation.method.lowercased()]
            }
        let words = Words(verb) + noun
        return words.isEmpty ? Words(["root"]) : words
    }
}
