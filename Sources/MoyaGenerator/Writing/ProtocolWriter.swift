import MoyaCodeText

/// Writes a service as a protocol with `@API`.
struct ProtocolWriter {
    private let model: APIModel
    private let service: Service
    private let names: TypeNames
    private let coders: CodersWriter
    private let retries: RetryWriter
    // The attributes of the protocol, with which those of each method are compared.
    private let commonErrors: [StatusError]
    private let commonRetry: RetryHint?
    private let commonAuthorization: APIMethod.Authorization
    /// Whether most methods with a form or a query have names with brackets.
    private let commonBrackets: Bool
    /// The values in queries, forms, parts, paths and headers.
    private let styledValues: StyledValues

    init(model: APIModel, service: Service, names: TypeNames, coders: CodersWriter, retries: RetryWriter) {
        (self.model, self.service, self.names, self.coders, self.retries) = (model, service, names, coders, retries)
        let methods = service.methods
        commonErrors = StatusError.common(to: methods.map(\.errors))
        commonRetry = methods.map(\.retry).mostFrequent ?? nil
        commonAuthorization = methods.map(\.authorization).mostFrequent ?? .none
        commonBrackets = methods.count(where: \.hasBrackets) * 2 > methods.count
        let forms = methods.compactMap(\.body).filter { $0.kind == .form }
        styledValues = StyledValues(
            in: methods.flatMap(\.parameters).map(\.type) + forms.map(\.type),
            model.declarations
        )
    }

    private var modifier: String { model.configuration.access.modifier }

    var text: String {
        var lines = CodeLines()
        lines.add("import MoyaMacros")
        lines.add()
        lines.document(service.documentation)
        writeAttributes(into: &lines)
        lines.block("\(modifier)protocol \(service.name): Sendable") { lines in
            for (index, method) in service.methods.enumerated() {
                if index > 0 { lines.separate() }
                write(method, into: &lines)
            }
        }
        return lines.text
    }

    // MARK: The protocol

    private func writeAttributes(into lines: inout CodeLines) {
        var arguments = [SwiftText.literal(service.baseURL ?? model.baseURL)]
        if model.hasSnakeCase { arguments.append("keys: .snakeCase") }
        arguments += coders.arguments
        lines.add("@API(\(arguments.joined(separator: ", ")))")
        if let style = style(hasBrackets: commonBrackets) { lines.add(style) }
        if commonAuthorization != .none { lines.add(attribute(commonAuthorization)) }
        for error in attributes(commonErrors) { lines.add(error) }
        if let retry = commonRetry { lines.add("@Retry(\(retries.expression(retry)))") }
    }

    /// Returns the attribute for the style of values; `nil` if the default is right for all of them.
    private func style(hasBrackets: Bool) -> String? {
        let arguments = styledValues.arguments(hasBrackets: hasBrackets)
        return arguments.isEmpty ? nil : "@URLStyle(\(arguments.joined(separator: ", ")))"
    }

    /// Returns an attribute for each type with its single statuses, then one for each range, then that for all others.
    private func attributes(_ errors: [StatusError]) -> [String] {
        var singles: [(type: TypeReference, statuses: [Int])] = []
        var others: [String] = []
        for error in errors {
            let type = names.text(error.type)
            guard let statuses = error.statuses else {
                others.append("@ErrorBody(\(type).self)")
                continue
            }
            if statuses.count > 1 {
                others.append("@ErrorBody(\(type).self, for: \(statuses.lowerBound)...\(statuses.upperBound))")
            } else if let index = singles.firstIndex(where: { $0.type == error.type }) {
                singles[index].statuses.append(statuses.lowerBound)
            } else {
                singles.append((error.type, [statuses.lowerBound]))
            }
        }
        let lists = singles.map { type, statuses in
            "@ErrorBody(\(names.text(type)).self, for: \(statuses.sorted().map(String.init).joined(separator: ", ")))"
        }
        return lists + others
    }

    private func attribute(_ authorization: APIMethod.Authorization) -> String {
        switch authorization {
        case .none: "@Authorization(nil)"
        case .bearer: "@Bearer"
        case .basic: "@Basic"
        case .custom(let scheme): "@Authorization(.custom(\(SwiftText.literal(scheme))))"
        }
    }

    // MARK: Methods

    private func write(_ method: APIMethod, into lines: inout CodeLines) {
        let notes = (method.isDeprecated ? ["Deprecated."] : []) + method.absenceNotes
        lines.document(method.documentation, notes: notes, parameters: method.parameterComments)
        writeAttributes(of: method, into: &lines)
        let parameters = method.callParameters.map { declaration(of: $0, in: method) }
        lines.list("func \(ReservedNames.escaped(method.name))(", parameters, ") async throws\(arrow(method))")
    }

    private func writeAttributes(of method: APIMethod, into lines: inout CodeLines) {
        let path = SwiftText.literal(pathText(method))
        let known: Set = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"]
        var attributes = [
            known.contains(method.method)
                ? "@\(method.method)(\(path))" : "@HTTP(\(SwiftText.literal(method.method)), \(path))"
        ]
        if let pagination = method.pagination {
            attributes.append("@Paged(\(Self.text(of: pagination.pagination)))")
            if let keyPath = pagination.keyPath { attributes.append("@KeyPath(\(SwiftText.literal(keyPath)))") }
        }
        if method.parameters.contains(where: { $0.place == .part }) { attributes.append("@Multipart") }
        if method.body?.kind == .form { attributes.append("@FormURLEncoded") }
        switch method.result {
        case .events(_, let end?): attributes.append("@Stream(until: \(SwiftText.literal(end)))")
        case .events, .lines: attributes.append("@Stream")
        case .byStatus: attributes.append("@ByStatus")
        case .nothing, .value, .text, .data: break
        }
        if method.authorization != commonAuthorization { attributes.append(attribute(method.authorization)) }
        attributes += self.attributes(StatusError.additional(method.errors, to: commonErrors))
        if styledValues.hasArrays, method.hasBrackets != commonBrackets {
            attributes.append(style(hasBrackets: method.hasBrackets) ?? "@URLStyle(arrayEncoding: .brackets)")
        }
        if method.retry != commonRetry {
            attributes.append(method.retry.map { "@Retry(\(retries.expression($0)))" } ?? "@Retry(.inherited)")
        }
        switch method.idempotency {
        case .bare: attributes.append("@Idempotent(IdempotencyKeys(format: .bare))")
        case .quoted: attributes.append("@Idempotent")
        case nil: break
        }
        attributes += headers(of: method)
        attributes += wireNames(of: method)
        attributes += method.parameters.compactMap { parameter in
            parameter.defaultValue.map {
                "@Default(\(SwiftText.literal(parameter.name)), \(typed($0, parameter.type)))"
            }
        }
        var line = ""
        for attribute in attributes {
            if !line.isEmpty, line.count + 1 + attribute.count > lines.room {
                lines.add(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + attribute
        }
        lines.add(line)
        writeSample(of: method, into: &lines)
    }

    private func writeSample(of method: APIMethod, into lines: inout CodeLines) {
        guard let literal = method.sample.flatMap(SampleText.literal) else { return }
        if literal.count == 1 { return lines.add("@Sample(\(literal[0]))") }
        lines.add("@Sample(")
        lines.indented { $0.add(literal) }
        lines.add(")")
    }

    /// Returns a literal with its type, because a macro's argument has no other.
    private func typed(_ literal: String, _ type: TypeReference) -> String {
        literal.hasPrefix(".") ? names.text(type.wrapped) + literal : literal
    }

    private func pathText(_ method: APIMethod) -> String {
        var text = ""
        for piece in method.path {
            switch piece {
            case .text(let part): text += PathText.escaped(part)
            case .parameter(let name): text += "{\(name)}"
            }
        }
        return text.contains("//") ? text.replacing("//", with: "/") : text
    }

    static func text(of pagination: PaginationHint) -> String {
        switch pagination {
        case .link: ".link"
        case .nextURL(let path): ".nextURL(at: \(SwiftText.literal(path)))"
        case .cursor(let path, let query, let hasMore):
            ".cursor(at: \(SwiftText.literal(path)), query: \(SwiftText.literal(query))\(hasMore.map { ", while: \(SwiftText.literal($0))" } ?? ""))"
        case .pageNumbers(let query): ".pageNumbers(query: \(SwiftText.literal(query)))"
        case .offsets(let query): ".offsets(query: \(SwiftText.literal(query)))"
        }
    }

    /// Returns the attribute for headers that are not parameters.
    private func headers(of method: APIMethod) -> [String] {
        var headers: [String] = []
        if let body = method.body, body.kind != .form, body.contentType != "application/json" || body.kind != .json {
            headers.append("\"Content-Type\": \(SwiftText.literal(body.contentType))")
        }
        // `@Stream` accepts events.
        if let accept = method.accept, MediaKind(accept) != .events {
            headers.append("\"Accept\": \(SwiftText.literal(accept))")
        }
        let cookies = method.parameters.filter { $0.place == .cookie }
        if !cookies.isEmpty {
            let pairs = cookies.map { cookie in
                cookie.type.isOptional ? "{\(cookie.name)}" : "\(cookie.wireName)={\(cookie.name)}"
            }
            headers.append("\"Cookie\": \"\(pairs.joined(separator: "; "))\"")
        }
        return headers.isEmpty ? [] : ["@Headers([\(headers.joined(separator: ", "))])"]
    }

    /// Returns the attribute for names that differ from those that are derived.
    private func wireNames(of method: APIMethod) -> [String] {
        let pairs = method.parameters.compactMap { parameter -> String? in
            let derived: String
            switch parameter.place {
            case .path, .cookie: return nil
            case .query where parameter.isMap: return nil
            case .header:
                if WireNames.header(parameter.name).lowercased() == parameter.wireName.lowercased() { return nil }
                derived = ""
            case .query, .field, .part:
                derived = model.hasSnakeCase ? WireNames.snakeCase(parameter.name) : parameter.name
            }
            if derived == parameter.wireName { return nil }
            return "\(SwiftText.literal(parameter.name)): \(SwiftText.literal(parameter.wireName))"
        }
        return pairs.isEmpty ? [] : ["@Names([\(pairs.joined(separator: ", "))])"]
    }

    private func declaration(of parameter: CallParameter, in method: APIMethod) -> String {
        switch parameter {
        case .parameter(let parameter):
            let type = names.text(parameter.type)
            let name = ReservedNames.escaped(parameter.name)
            switch parameter.place {
            case .path, .cookie, .part, .field: return "\(name): \(type)"
            case .header: return "\(name): Header<\(type)>"
            case .query where parameter.isMap: return "\(name): QueryMap<\(type)>"
            case .query: return "\(name): \(method.hasPlainQuery ? type : "Query<\(type)>")"
            }
        case .body(let body):
            let type = names.text(body.isRequired ? body.type : body.type.asOptional)
            return "\(body.name): \(body.kind == .form ? "FieldMap" : "Body")<\(type)>"
        }
    }

    private func arrow(_ method: APIMethod) -> String {
        if let pagination = method.pagination { return " -> PagedSequence<\(names.text(pagination.itemType))>" }
        switch method.result {
        case .nothing: return ""
        case .value(let type):
            let text = names.text(method.resultIsOptional ? type.asOptional : type)
            return " -> " + (method.resultHasHeaders ? "TypedResponse<\(text)>" : text)
        case .text: return " -> String"
        case .data: return " -> Data"
        case .byStatus(let id): return " -> \(names[id].name)"
        case .events(let type, _): return type.map { " -> DecodedEvents<\(names.text($0))>" } ?? " -> ServerSentEvents"
        case .lines(let type): return type.map { " -> DecodedLines<\(names.text($0))>" } ?? " -> StreamingLines"
        }
    }
}

/// A parameter of a method in the order of calls.
enum CallParameter {
    case parameter(APIParameter)
    case body(APIBody)
}

extension APIMethod {
    /// Whether parameters without a marker are items of the query.
    var hasPlainQuery: Bool {
        ["GET", "HEAD", "DELETE"].contains(method) && body?.kind != .form && !parameters.contains { $0.place == .part }
    }

    /// The sentences that tell for which statuses the result is `nil`.
    var absenceNotes: [String] {
        emptyResponses.map { response in
            let statuses =
                switch response.statuses {
                case .code(let code): "\(code)"
                case .range(let digit): "\(digit)XX"
                case .any: "other statuses"
                }
            let description = CommentText.firstSentence(of: response.description)
            return "The result is `nil` for \(statuses)" + (description.map { ": \($0)" } ?? ".")
        }
    }

    /// The descriptions of the parameters and of the body that the document has.
    var parameterComments: [ParameterComment] {
        callParameters.compactMap { parameter in
            let (name, notes) =
                switch parameter {
                case .parameter(let value):
                    (
                        value.name,
                        CommentText.notes(
                            value.documentation,
                            default: value.serverDefault,
                            isDeprecated: value.isDeprecated
                        )
                    )
                case .body(let body):
                    (body.name, CommentText.notes(body.documentation, default: nil, isDeprecated: false))
                }
            return notes.isEmpty ? nil : ParameterComment(name: name, text: notes.joined(separator: " "))
        }
    }

    /// The parameters with the body, before those that a call may omit.
    var callParameters: [CallParameter] {
        let required = parameters.filter { $0.defaultValue == nil && !$0.type.isOptional }
        let omitted = parameters.filter { $0.defaultValue != nil || $0.type.isOptional }
        let body = body.map { [CallParameter.body($0)] } ?? []
        return required.map(CallParameter.parameter) + body + omitted.map(CallParameter.parameter)
    }
}

/// Escapes the text between the parameters of a path.
enum PathText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isAllowed =
                byte < 0x80 && (character.isLetter || character.isNumber || "-._~!$&'()*+,;=:@/%".contains(character))
            if isAllowed { result.append(character) } else { result += "%" + String(byte, radix: 16, uppercase: true) }
        }
        return result
    }
}
