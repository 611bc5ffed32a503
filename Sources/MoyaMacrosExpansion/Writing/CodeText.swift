#if Macros
    /// Functions that create Swift code as lines of text.
    enum CodeText {
        /// Returns a string literal.
        static func literal(_ text: String) -> String { "\"\(escaped(text))\"" }

        /// Returns a text escaped for a string literal; everything that could end the literal or the line is escaped.
        static func escaped(_ text: String) -> String {
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                default:
                    scalar.properties.isWritable ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
                }
            }.joined()
        }

        /// Returns a list in brackets: one line if it is short enough, otherwise one line for each element.
        ///
        /// - Parameters:
        ///   - opening: The text before the list.
        ///   - elements: The elements.
        ///   - closing: The text after the list.
        ///   - room: The number of columns.
        /// - Returns: The lines.
        static func list(_ opening: String, _ elements: [String], _ closing: String, room: Int) -> [String] {
            let line = opening + elements.joined(separator: ", ") + closing
            guard line.count > room, !elements.isEmpty else { return [line] }
            let lines = elements.indices.map { elements[$0] + ($0 == elements.indices.last ? "" : ",") }
            return [opening] + indented(lines) + [closing]
        }

        /// Returns the lines, indented.
        static func indented(_ lines: [String], by level: Int = 1) -> [String] {
            lines.map { $0.isEmpty ? $0 : String(repeating: "    ", count: level) + $0 }
        }

        /// Returns a dictionary literal.
        static func dictionary(_ entries: [(key: String, value: String)]) -> String {
            entries.isEmpty
                ? "[:]" : "[" + entries.map { "\(literal($0.key)): \($0.value)" }.joined(separator: ", ") + "]"
        }
    }

    extension Unicode.Scalar.Properties {
        /// Whether a literal can contain the scalar unescaped: no control characters, separators or invisible
        /// characters.
        fileprivate var isWritable: Bool {
            switch generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
    }

    /// A computed property that returns a value for each case.
    struct CaseProperty {
        /// The declaration, such as `public var path: String`.
        var declaration: String
        /// The values, with the parameters that they use.
        var values: [(endpoint: Endpoint, value: String, names: Set<String>)] = []

        mutating func add(_ endpoint: Endpoint, _ value: String, using names: [String] = []) {
            values.append((endpoint, value, Set(names)))
        }

        /// The lines of the property, without a switch if all cases have the same value.
        var lines: [String] {
            if let first = values.first, values.allSatisfy({ $0.value == first.value && $0.names.isEmpty }) {
                return ["\(declaration) { \(first.value) }"]
            }
            var groups: [(patterns: [String], value: String)] = []
            for (endpoint, value, names) in values {
                let pattern = endpoint.pattern(binding: names)
                if names.isEmpty, let index = groups.firstIndex(where: { $0.value == value }) {
                    groups[index].patterns.append(pattern)
                } else {
                    groups.append(([pattern], value))
                }
            }
            let cases = groups.flatMap { group in
                wrapped(group.patterns)
                    + CodeText.indented(
                        group.value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                    )
            }
            return ["\(declaration) {"] + CodeText.indented(["switch self {"] + cases + ["}"]) + ["}"]
        }

        /// Returns the patterns of one case, in lines.
        private func wrapped(_ patterns: [String]) -> [String] {
            var lines = ["case"]
            for (index, pattern) in patterns.enumerated() {
                let text = pattern + (index == patterns.count - 1 ? ":" : ",")
                if lines[lines.count - 1].count + text.count < 100 {
                    lines[lines.count - 1] += " " + text
                } else {
                    lines.append("    " + text)
                }
            }
            return lines
        }
    }

    extension Endpoint {
        /// Returns a pattern that binds the given parameters.
        func pattern(binding names: Set<String>) -> String {
            guard !names.isEmpty else { return ".\(caseName.asIdentifier)" }
            let values = parameters.map { names.contains($0.name) ? "let \($0.code)" : "_" }
            return ".\(caseName.asIdentifier)(\(values.joined(separator: ", ")))"
        }
    }
#endif
