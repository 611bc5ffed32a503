/// The decisions that a project makes about its generated code.
package struct Configuration: Sendable {
    package enum Style: String, Sendable, CaseIterable {
        /// Protocols with `@API`.
        case api
        /// Enumerations that conform to `TargetType`.
        case `enum`
    }

    package enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`

        /// The modifier before a declaration, with a space; empty for internal.
        var modifier: String { self == .internal ? "" : rawValue + " " }
    }

    package var style = Style.api
    package var access = Access.internal
    /// The name of the API; `nil` for a name from the document's title.
    package var name: String?
    /// The URL of the server; `nil` for the first of the document.
    package var baseURL: String?
    package var filter = OperationFilter()
    package var naming = NamingRules()
    /// The names of types, by the names of their schemas.
    package var types: [String: String] = [:]
    /// The names of methods, by the identifiers of their operations.
    package var operations: [String: String] = [:]
    /// The names of properties, by `Schema.property`.
    package var properties: [String: String] = [:]
    /// The names of the cases of enumerations, by `Schema.value`.
    package var cases: [String: String] = [:]
    /// The names of protocols, by their tags.
    package var tags: [String: String] = [:]
    /// The types of formats.
    package var formats: [String: TypeReference] = [:]

    /// Whether lists in pages are sequences.
    package var hasPagination = true

    package init() {}
}

/// The operations that are generated.
package struct OperationFilter: Sendable, Equatable {
    /// A tag, an identifier of an operation, or a path, in which `*` stands for any text.
    package struct Pattern: Sendable, Equatable {
        package var text: String

        package init(_ text: String) { self.text = text }

        func matches(_ value: String) -> Bool {
            let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 1 else { return value == text }
            guard value.hasPrefix(parts[0]) else { return false }
            var rest = value.dropFirst(parts[0].count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                guard let range = rest.firstRange(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            return rest.hasSuffix(parts[parts.count - 1])
        }

        func matches(_ operation: Operation) -> Bool {
            operation.tags.contains(where: matches) || operation.id.map(matches) == true || matches(operation.path)
        }
    }

    package var included: [Pattern] = []
    package var excluded: [Pattern] = []

    package init(included: [String] = [], excluded: [String] = []) {
        self.included = included.map(Pattern.init)
        self.excluded = excluded.map(Pattern.init)
    }

    package var isEmpty: Bool { included.isEmpty && excluded.isEmpty }

    func accepts(_ operation: Operation) -> Bool {
        (included.isEmpty || included.contains { $0.matches(operation) })
            && !excluded.contains { $0.matches(operation) }
    }
}
