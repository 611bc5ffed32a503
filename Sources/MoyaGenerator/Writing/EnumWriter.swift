import MoyaCodeText

/// Writes a service as an enumeration that conforms to `TargetType`.
struct EnumWriter {
    let model: APIModel
    let service: Service
    let names: TypeNames
    let coders: CodersWriter
    let retries: RetryWriter

    private var modifier: String { model.configuration.access.modifier }

    var text: String {
        var lines = CodeLines()
        lines.add("import Moya")
        lines.add()
        lines.document(service.documentation)
        let isAuthorizable = service.methods.contains { $0.authorization != .none }
        let isIdempotent = service.methods.contains { $0.idempotency != nil }
        let hasRetries = service.methods.contains { $0.retry != nil }
        var conformances = ["TargetType"]
        if isAuthorizable { conformances.append("AccessTokenAuthorizable") }
        if isIdempotent { conformances.append("IdempotentTargetType") }
        if hasRetries { conformances.append("RetryingTargetType") }
        lines.block("\(modifier)enum \(service.name): \(conformances.joined(separator: ", "))") { lines in
            for method in service.methods { writeCase(method, into: &lines) }
            writeBaseURL(into: &lines)
            write("path: String", into: &lines) { path(of: $0) }
            if hasEscapedPaths {
                lines.separate()
                comment(
                    "The values in paths are escaped, so that a slash in a value does not change the route.",
                    into: &lines
                )
                lines.add("\(modifier)var isPathEscaped: Bool { true }")
            }
            write("method: Moya.Method", into: &lines) { Part(text: Self.methodText($0.method)) }
            write("task: HTTPTask", into: &lines) { task(of: $0) }
            writeFormEncoders(into: &lines)
            write("headers: [String: String]?", into: &lines) { headers(of: $0) }
            if isAuthorizable {
                write("authorizationType: AuthorizationType?", of: "authorization", into: &lines) {
                    Part(text: Self.text(of: $0.authorization))
                }
            }
            if isIdempotent {
                write("idempotencyKeys: IdempotencyKeys?", of: "idempotency keys", into: &lines) {
                    Part(text: Self.text(of: $0.idempotency))
                }
            }
            if hasRetries {
                write("retryChoice: RetryChoice", of: "retries", into: &lines) { method in
                    Part(text: method.retry.map(retries.choice) ?? ".inherited")
                }
            }
            writeSamples(into: &lines)
            lines.separate()
            comment("The statuses that are accepted.", into: &lines)
            lines.add("\(modifier)var validationType: ValidationType { .successCodes }")
        }
        return lines.text
    }

    private func comment(_ text: String, into lines: inout CodeLines) {
        if model.configuration.access != .internal { lines.comment(text) }
    }

    /// The code for a case, with the names of the values that it uses.
    private struct Part {
        /// The lines; the first one follows the pattern if it is the only one.
        var lines: [String]
        var used: Set<String> = []

        init(text: String, used: Set<String> = []) { (lines, self.used) = ([text], used) }

        init(lines: [String], used: Set<String>) { (self.lines, self.used) = (lines, used) }

        /// The code as a statement that returns its value.
        var returned: Part { Part(lines: ["return \(lines[0])"] + lines.dropFirst(), used: used) }
    }

    // MARK: Cases

    private func writeCase(_ method: APIMethod, into lines: inout CodeLines) {
        var notes = method.isDeprecated ? ["Deprecated."] : []
        if let result = resultNote(method) { notes.append(result) }
        notes += method.absenceNotes
        if lines.lines.last?.hasPrefix("    case") == true || lines.lines.last == "    )" { lines.separate() }
        lines.document(
            method.documentation,
            or: "\(method.method) \(Self.template(of: method)).",
            notes: notes,
            parameters: method.parameterComments
        )
        let parameters = method.callParameters.map { parameter -> String in
            let (name, type, value) = self.parameter(parameter)
            return "\(name): \(type)" + (value.map { " = \($0)" } ?? "")
        }
        let name = ReservedNames.escaped(method.name)
        if parameters.isEmpty { lines.add("case \(name)") } else { lines.list("case \(name)(", parameters, ")") }
    }

    private func resultNote(_ method: APIMethod) -> String? {
        switch method.result {
        case .nothing: return nil
        case .value(let type):
            return "The type of the response is `\(names.text(method.resultIsOptional ? type.asOptional : type))`."
        case .byStatus(let id): return "The type of the response is `\(names[id].name)`."
        case .text: return "The response is a text."
        case .data: return "The response is data."
        case .events(let type, _):
            return "The response is a stream of events\(type.map { " of the type `\(names.text($0))`" } ?? "")."
        case .lines(let type):
            return "The response is a stream of lines of JSON\(type.map { " of the type `\(names.text($0))`" } ?? "")."
        }
    }

    private static func template(of method: APIMethod) -> String {
        method.path.map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let name): "{\(name)}"
            }
        }.joined()
    }

    private func parameter(_ parameter: CallParameter) -> (name: String, type: String, value: String?) {
        switch parameter {
        case .parameter(let parameter):
            let type = names.text(parameter.type)
            let value = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil)
            return (ReservedNames.escaped(parameter.name), type, value)
        case .body(let body):
            let type = body.isRequired ? body.type : body.type.asOptional
            return (body.name, names.text(type), body.isRequired ? nil : "nil")
        }
    }

    // MARK: Properties

    private func writeBaseURL(into lines: inout CodeLines) {
        let url = "URL(string: \(SwiftText.literal(model.baseURL)))!"
        guard service.methods.contains(where: { $0.baseURL != nil }) else {
            lines.separate()
            comment("The URL of the server.", into: &lines)
            return lines.add("\(modifier)var baseURL: URL { \(url) }")
        }
        write("baseURL: URL", of: "server", into: &lines) { method in
            Part(text: method.baseURL.map { "URL(string: \(SwiftText.literal($0)))!" } ?? url)
        }
    }

    /// The largest number of cases with values in one expression: the compiler solves all values of an expression at once, whose time is
    /// not linear in their number.
    private static let largestExpression = 30

    /// Writes a property with a switch; cases with equal code share it.
    private func write(
        _ declaration: String,
        of noun: String? = nil,
        into lines: inout CodeLines,
        _ part: (APIMethod) -> Part
    ) {
        lines.separate()
        let isExpression = service.methods.count <= Self.largestExpression
        let values = service.methods.map { ($0, part($0)) }
        comment("The \(noun ?? String(declaration.prefix { $0 != ":" })) of each request.", into: &lines)
        if let first = values.first, first.1.lines.count == 1,
            values.allSatisfy({ $0.1.lines == first.1.lines && $0.1.used.isEmpty })
        {
            return lines.add("\(modifier)var \(declaration) { \(first.1.lines[0]) }")
        }
        let parts = isExpression ? values : values.map { ($0, $1.returned) }
        lines.block("\(modifier)var \(declaration)") { lines in
            lines.add("switch self {")
            // Cases with equal code, and with equal types of the values in it, share an arm.
            var written: Set<[String]> = []
            for (method, part) in parts {
                let key = part.lines + types(of: part.used, in: method)
                guard written.insert(key).inserted else { continue }
                let equal = parts.filter { $0.1.lines + types(of: $0.1.used, in: $0.0) == key }
                writeArm(equal.map { pattern(of: $0.0, using: $0.1.used) }, part, into: &lines)
            }
            lines.add("}")
        }
    }

    private func writeArm(_ patterns: [String], _ part: Part, into lines: inout CodeLines) {
        let line = "case \(patterns.joined(separator: ", ")):"
        if part.lines.count == 1, line.count + 1 + part.lines[0].count <= lines.room {
            return lines.add("\(line) \(part.lines[0])")
        }
        if line.count <= lines.room {
            lines.add(line)
        } else if patterns.count == 1, let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")") {
            let values = line[line.index(after: open)..<close].split(separator: ",").map {
                $0.trimmingPrefix(while: { $0 == " " })
            }
            lines.list(String(line[...open]), values.map(String.init), "):")
        } else {
            var rest = patterns[...]
            var current = "case "
            while let next = rest.popFirst() {
                let piece = next + (rest.isEmpty ? ":" : ",")
                if current.count + piece.count + 1 > lines.room {
                    lines.add(current)
                    current = "    "
                }
                current += (current.hasSuffix(" ") ? "" : " ") + piece
            }
            lines.add(current)
        }
        lines.indented { $0.add(part.lines) }
    }

    /// Returns the types of the values of a case that its code uses.
    private func types(of used: Set<String>, in method: APIMethod) -> [String] {
        method.callParameters.map(parameter).filter { used.contains($0.name) }.map { "\($0.name): \($0.type)" }.sorted()
    }

    private func pattern(of method: APIMethod, using used: Set<String>) -> String {
        guard !used.isEmpty else { return "." + ReservedNames.escaped(method.name) }
        let values = method.callParameters.map { parameter in
            let name = self.parameter(parameter).name
            return used.contains(name) ? "let \(name)" : "_"
        }
        return ".\(ReservedNames.escaped(method.name))(\(values.joined(separator: ", ")))"
    }

    private static func methodText(_ method: String) -> String {
        let known: Set = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"]
        return known.contains(method)
            ? ".\(method.lowercased())" : "Moya.Method(rawValue: \(SwiftText.literal(method)))"
    }

    private static func text(of authorization: APIMethod.Authorization) -> String {
        switch authorization {
        case .none: "nil"
        case .bearer: ".bearer"
        case .basic: ".basic"
        case .custom(let scheme): ".custom(\(SwiftText.literal(scheme)))"
        }
    }

    private static func text(of idempotency: APIMethod.Idempotency?) -> String {
        switch idempotency {
        case .bare: "IdempotencyKeys(format: .bare)"
        case .quoted: "IdempotencyKeys()"
        case nil: "nil"
        }
    }

    /// Whether some path has escaped text: a value that could end its segment, or text that the document escapes.
    private var hasEscapedPaths: Bool {
        service.methods.contains { method in
            method.parameters.contains { $0.place == .path && $0.needsEscaping }
                || method.path.contains { if case .text(let text) = $0 { text.contains("%") } else { false } }
        }
    }

    private func path(of method: APIMethod) -> Part {
        var text = ""
        var used: Set<String> = []
        for piece in method.path {
            switch piece {
            case .text(let part): text += SwiftText.escaped(hasEscapedPaths ? PathText.escaped(part) : part)
            case .parameter(let name):
                let identifier = ReservedNames.escaped(name)
                let parameter = method.parameters.first { $0.place == .path && $0.name == name }
                let isPlain = parameter.map { !$0.needsEscaping } ?? false
                text += isPlain ? "\\(\(identifier))" : "\\(PathValue.escape(\(identifier)))"
                used.insert(identifier)
            }
        }
        return Part(text: "\"\(text)\"", used: used)
    }

    private func writeSamples(into lines: inout CodeLines) {
        let samples = service.methods.map { $0.sample.flatMap(SampleText.literal) }
        guard samples.contains(where: { $0 != nil }) else { return }
        write("sampleData: Data", into: &lines) { method in
            guard var literal = method.sample.flatMap(SampleText.literal) else { return Part(text: "Data()") }
            if literal.count == 1 { return Part(text: "Data(\(literal[0]).utf8)") }
            literal[literal.count - 1] += ".utf8"
            return Part(lines: ["Data("] + literal.map { "    " + $0 } + [")"], used: [])
        }
    }

    // MARK: Tasks

    private var forms: [APIMethod] { service.methods.filter { $0.body?.kind == .form } }

    private var formValues: StyledValues { StyledValues(in: forms.compactMap(\.body?.type), model.declarations) }

    /// Whether each form has brackets.
    private var formStyles: Set<Bool> { Set(forms.map(\.hasBrackets)) }

    private func formEncoder(_ hasBrackets: Bool) -> String {
        formStyles.count > 1 && hasBrackets ? "bracketFormEncoder" : "formEncoder"
    }

    private func writeFormEncoders(into lines: inout CodeLines) {
        let styles = formStyles
        guard !styles.isEmpty else { return }
        lines.separate()
        for hasBrackets in [false, true] where styles.contains(hasBrackets) {
            let arguments = formValues.arguments(hasBrackets: hasBrackets).joined(separator: ", ")
            lines.add("private static let \(formEncoder(hasBrackets)) = URLEncodedFormEncoder(\(arguments))")
        }
    }

    private func queryEncoding(_ method: APIMethod) -> String {
        let types = method.parameters.filter { $0.place == .query }.map(\.type)
        let values = StyledValues(in: types, model.declarations)
        let arguments = values.arguments(hasBrackets: method.hasBrackets)
        guard !arguments.isEmpty else { return "URLEncoding.queryString" }
        return "URLEncoding(destination: .queryString, \(arguments.joined(separator: ", ")))"
    }

    private func task(of method: APIMethod) -> Part {
        var used: Set<String> = []
        let query = method.parameters.filter { $0.place == .query }
        for parameter in query { used.insert(ReservedNames.escaped(parameter.name)) }
        let content = content(of: method, &used)
        let pairs = query.filter { !$0.isMap }.map {
            "\(SwiftText.literal($0.wireName)): \(ReservedNames.escaped($0.name))"
        }
        let maps = query.filter(\.isMap).map {
            $0.type.isOptional ? "\(ReservedNames.escaped($0.name)) ?? [:]" : ReservedNames.escaped($0.name)
        }
        guard !query.isEmpty else { return Part(lines: content ?? [".requestPlain"], used: used) }
        var lines = CodeLines()
        if let content {
            lines.add(content)
            lines.indented { lines in
                lines.add(".adding(")
                lines.indented { writeQuery("query", pairs, maps, method, into: &$0) }
                lines.add(")")
            }
        } else {
            lines.add(".requestParameters(")
            lines.indented { writeQuery("parameters", pairs, maps, method, into: &$0) }
            lines.add(")")
        }
        return Part(lines: lines.lines, used: used)
    }

    /// Writes the arguments for a query: a dictionary, into which maps are merged, and its encoding.
    private func writeQuery(
        _ label: String,
        _ pairs: [String],
        _ maps: [String],
        _ method: APIMethod,
        into lines: inout CodeLines
    ) {
        if maps.isEmpty {
            lines.list("\(label): [", pairs, "],")
        } else if pairs.isEmpty, maps.count == 1 {
            lines.add("\(label): \(maps[0]),")
        } else {
            lines.list("\(label): ([", pairs.isEmpty ? [":"] : pairs, "] as [String: any Sendable])")
            lines.indented { lines in
                for (index, map) in maps.enumerated() {
                    lines.add(".merging(\(map)) { $1 }" + (index == maps.count - 1 ? "," : ""))
                }
            }
        }
        lines.add("encoding: \(queryEncoding(method))")
    }

    /// Returns the task for the body; `nil` without one.
    private func content(of method: APIMethod, _ used: inout Set<String>) -> [String]? {
        let parts = method.parameters.filter { $0.place == .part }
        if !parts.isEmpty {
            used.formUnion(parts.map { ReservedNames.escaped($0.name) })
            var lines = CodeLines()
            lines.add(".uploadMultipart(")
            lines.indented { lines in
                lines.add("FormParts()")
                lines.indented { lines in
                    for part in parts {
                        lines.add(".adding(\(SwiftText.literal(part.wireName)), \(ReservedNames.escaped(part.name)))")
                    }
                    lines.add(".parts")
                }
            }
            lines.add(")")
            return lines.lines
        }
        guard let body = method.body else { return nil }
        used.insert(body.name)
        let name = body.isRequired ? body.name : "$0"
        let call =
            switch body.kind {
            case .json:
                coders.hasDates
                    ? ".requestCustomJSONEncodable(\(name), encoder: .\(coders.name))"
                    : ".requestJSONEncodable(\(name))"
            case .form: ".requestFormEncodable(\(name), encoder: Self.\(formEncoder(method.hasBrackets)))"
            case .binary: ".uploadBody(\(name), contentType: \(SwiftText.literal(body.contentType)))"
            case .text: ".requestData(\(name))"
            }
        return [body.isRequired ? call : "\(body.name).map { \(call) } ?? .requestPlain"]
    }

    private func headers(of method: APIMethod) -> Part {
        var pairs: [String] = []
        var used: Set<String> = []
        if let body = method.body, body.kind == .text || (body.kind == .json && body.contentType != "application/json")
        {
            pairs.append("\"Content-Type\": \(SwiftText.literal(body.contentType))")
        }
        if let accept = method.accept { pairs.append("\"Accept\": \(SwiftText.literal(accept))") }
        let headers = method.parameters.filter { $0.place == .header }
        let cookies = method.parameters.filter { $0.place == .cookie }
        for header in headers {
            let name = ReservedNames.escaped(header.name)
            used.insert(name)
            pairs.append("\(SwiftText.literal(header.wireName)): \(headerText(name, header.type))")
        }
        if !cookies.isEmpty {
            let texts = cookies.map { cookie in
                used.insert(ReservedNames.escaped(cookie.name))
                return
                    "\(cookie.wireName)=\\(\(ReservedNames.escaped(cookie.name))\(cookie.type.isOptional ? " ?? \"\"" : ""))"
            }
            pairs.append("\"Cookie\": \"\(texts.joined(separator: "; "))\"")
        }
        if pairs.isEmpty { return Part(text: "nil") }
        let closing = headers.contains { $0.type.isOptional } ? "].compactMapValues(\\.self)" : "]"
        var lines = CodeLines()
        lines.list("[", pairs, closing)
        return Part(lines: lines.lines, used: used)
    }

    private func headerText(_ name: String, _ type: TypeReference) -> String {
        let isOptional = type.isOptional
        switch type.wrapped {
        case .known("String"): return name
        case .array:
            return isOptional
                ? "\(name)?.map(PathValue.text).joined(separator: \",\")"
                : "\(name).map(PathValue.text).joined(separator: \",\")"
        default: return isOptional ? "\(name).map(PathValue.text)" : "PathValue.text(\(name))"
        }
    }
}

extension APIParameter {
    /// Whether the text of the value may have characters that end a segment of a path; integers and Booleans have none.
    var needsEscaping: Bool {
        let plain: [TypeReference] = [.int, .known("Int64"), .bool]
        return !plain.contains(type)
    }

    /// Whether the code of a target writes the value by `PathValue`.
    var usesPathValue: Bool {
        switch place {
        case .path: needsEscaping
        case .header: type.wrapped != .string
        case .query, .cookie, .field, .part: false
        }
    }
}
