extension ModelBuilder {
    /// The result of an operation, with the stream that it may be instead.
    struct Results {
        var value = APIResult.nothing
        var isOptional = false
        /// The responses without a body, for which an optional result is `nil`.
        var emptyResponses: [EmptyResponse] = []
        var stream: APIResult?
        /// The media type of the stream.
        var streamType: String?
        var hasOnlyStream = false
    }

    mutating func results(of operation: Operation, words: Words, tag: Words) -> Results {
        var successes = operation.responses.filter(\.statuses.isSuccess)
        if successes.isEmpty { successes = operation.responses.filter { $0.statuses == .any } }
        var results = Results()
        var found: [(statuses: Response.Statuses, result: APIResult)] = []
        for response in successes {
            let contents = response.contents.sorted { MediaKind($0.name) < MediaKind($1.name) }
            if let content = contents.first(where: { [.events, .lines].contains(MediaKind($0.name)) }) {
                results.streamType = results.streamType ?? content.name
                results.stream = results.stream ?? stream(content, operation, words: words, tag: tag)
            }
            let stored = contents.filter { ![.events, .lines].contains(MediaKind($0.name)) }
            // `application/json` comes before other types of JSON.
            guard let content = stored.first(where: { $0.name == "application/json" }) ?? stored.first else {
                if contents.isEmpty { found.append((response.statuses, .nothing)) }
                continue
            }
            let result = self.result(content, words: words, tag: tag)
            found.append((response.statuses, result.value))
            results.isOptional = results.isOptional || result.isNullable
        }
        let values = found.map(\.result).filter { $0 != .nothing }
        results.hasOnlyStream = values.isEmpty && results.stream != nil
        results.value = values.first ?? .nothing
        if let first = values.first, values.contains(where: { $0 != first }) {
            results.value = byStatus(found, operation, words: words, tag: tag)
            results.isOptional = false
        } else if values.count < found.count, !values.isEmpty {
            results.isOptional = true
            results.emptyResponses = successes.filter(\.contents.isEmpty).map {
                EmptyResponse(statuses: $0.statuses, description: $0.description)
            }
        }
        if results.value == .data || results.value == .text {
            (results.isOptional, results.emptyResponses) = (false, [])
        }
        return results
    }

    private static let statusNames = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritative", 204: "noContent", 205: "resetContent",
        206: "partialContent", 207: "multiStatus", 208: "alreadyReported", 226: "imUsed",
    ]

    /// Returns an enumeration of results by their statuses.
    private mutating func byStatus(
        _ found: [(statuses: Response.Statuses, result: APIResult)],
        _ operation: Operation,
        words: Words,
        tag: Words
    ) -> APIResult {
        var cases: [StatusResult.Case] = []
        for (statuses, result) in found {
            let (name, range): (String, ClosedRange<Int>) =
                switch statuses {
                case .code(let code): (Self.statusNames[code] ?? "status\(code)", code...code)
                case .range, .any: ("success", 200...299)
                }
            let type: TypeReference? =
                switch result {
                case .value(let type): type
                case .text: .string
                case .data: .known("Data")
                case .nothing, .byStatus, .events, .lines: nil
                }
            cases.append(StatusResult.Case(name: name, statuses: range, type: type))
        }
        if cases.contains(where: { $0.name == "success" }), cases.count > 1 {
            diagnostics.warn(
                .response,
                "A response for all successful statuses is ignored, because some of the statuses have their own.",
                at: operation.location
            )
            cases.removeAll { $0.name == "success" }
        }
        let context = TypeBuilder.Context(words: words + Words(["result"]), tag: tag)
        return .byStatus(types.declare(StatusResult(cases: cases), at: operation.location, context))
    }

    private mutating func result(_ content: MediaType, words: Words, tag: Words) -> (value: APIResult, isNullable: Bool)
    {
        switch MediaKind(content.name) {
        case .json:
            guard let schema = content.schema else { return (.value(.json), false) }
            if types.flattening.flatten(schema).isBinary { return (.data, false) }
            let context = TypeBuilder.Context(words: words + Words(["response"]), tag: tag)
            let use = types.type(of: schema, context)
            return (.value(use.type), use.isNullable)
        case .text: return (.text, false)
        case .xml:
            diagnostics.warn(
                .response,
                "The response is \(content.name), whose text is returned.",
                at: content.location
            )
            return (.text, false)
        case .form, .multipart, .binary, .events, .lines: return (.data, false)
        }
    }

    private mutating func stream(_ content: MediaType, _ operation: Operation, words: Words, tag: Words) -> APIResult {
        let context = TypeBuilder.Context(words: words + Words(["event"]), tag: tag)
        let isLines = MediaKind(content.name) == .lines
        let type: TypeReference? =
            if let item = content.itemSchema {
                types.type(of: item, context).full
            } else {
                content.schema.map { types.type(of: $0, context).full }
            }
        // OpenAI and others end a stream by an event that is not JSON.
        let texts = [operation.description, content.schema?.content.description] + content.examples.map(\.string)
        let isMarked = texts.contains { $0?.contains("[DONE]") == true } || eventsMention("[DONE]", type)
        return isLines ? .lines(type) : .events(type, end: isMarked ? "[DONE]" : nil)
    }

    /// Whether the description of a type, or of an alternative of it, has a text.
    private func eventsMention(_ text: String, _ type: TypeReference?) -> Bool {
        guard let id = type?.contained else { return false }
        if types[id].documentation.summary?.contains(text) == true { return true }
        guard case .union(let union) = types[id].kind else { return false }
        return union.cases.contains { value in
            value.type.contained.map { types[$0].documentation.summary?.contains(text) == true } ?? false
        }
    }

    /// Returns the first example of a successful response with JSON.
    func sample(of operation: Operation, _ method: APIMethod) -> Node? {
        guard case .value = method.result else { return nil }
        for response in operation.responses where response.statuses.isSuccess {
            for content in response.contents where MediaKind(content.name) == .json {
                if let example = content.examples.first ?? content.schema?.content.examples.first { return example }
            }
        }
        return nil
    }

    /// Whether a successful response has headers that belong to its value, such as its version or the number of all items.
    func hasUsefulHeaders(_ operation: Operation) -> Bool {
        operation.responses.filter(\.statuses.isSuccess).flatMap(\.headers).contains { header in
            let name = header.lowercased()
            return ["etag", "last-modified", "content-range"].contains(name) || Words(of: name).all.contains("total")
        }
    }

    // MARK: Errors

    mutating func errors(of operation: Operation, words: Words, tag: Words) -> [StatusError] {
        let hasSuccess = operation.responses.contains { $0.statuses.isSuccess }
        var errors: [StatusError] = []
        for response in operation.responses where response.statuses.isFailure {
            if response.statuses == .any, !hasSuccess { continue }
            guard let content = response.contents.first(where: { MediaKind($0.name) == .json }),
                let schema = content.schema
            else { continue }
            let context = TypeBuilder.Context(words: Words(of: apiName) + Words(["error"]), qualifier: words, tag: tag)
            let type = types.errorType(of: schema, context).type
            guard canBeError(type) else { continue }
            switch response.statuses {
            case .code(let code): errors.append(StatusError(statuses: code...code, type: type))
            case .range(let digit): errors.append(StatusError(statuses: digit * 100...digit * 100 + 99, type: type))
            case .any: errors.append(StatusError(statuses: nil, type: type))
            }
        }
        return StatusError.sorted(errors)
    }

    /// Whether an extension can make a type an error.
    private func canBeError(_ type: TypeReference) -> Bool {
        guard case .declared(let id) = type else { return false }
        if case .enumeration = types[id].kind { return false }
        return true
    }
}
