/// Reads the file with the names that a project chooses.
package enum ConfigurationReader {
    /// Adds the decisions of a file to a configuration.
    ///
    ///     name: GitHub
    ///     types: { nullable-simple-user: Owner }
    ///     operations: { issues/list-for-repo: issues }
    ///     properties: { issue.node_id: globalID }
    ///     cases: { issue-state.open: isOpen }
    ///     tags: { repos: Repositories }
    ///     formats: { uri: String }
    ///     acronyms: [SARIF]
    ///     pagination: false
    ///
    /// - Throws: The errors of a file with unknown members or with names that code cannot have.
    package static func read(
        _ path: String,
        into configuration: inout Configuration,
        files: DocumentFiles
    ) throws(GeneratorFailure) {
        let root = try files.root(of: path)
        var diagnostics = DiagnosticList()
        var acronyms: [String] = []
        for (key, value) in root.members {
            switch key {
            case "name": configuration.name = name(value, &diagnostics)
            case "types": configuration.types = names(value, &diagnostics)
            case "operations": configuration.operations = names(value, &diagnostics)
            case "properties": configuration.properties = names(value, &diagnostics)
            case "cases": configuration.cases = names(value, &diagnostics)
            case "tags": configuration.tags = names(value, &diagnostics)
            case "formats": configuration.formats = names(value, &diagnostics).mapValues(TypeReference.known)
            case "acronyms": acronyms = value.node.elements?.compactMap(\.string) ?? []
            case "pagination": configuration.hasPagination = value.node.bool ?? true
            default:
                diagnostics.error(.configuration, "The member \"\(key)\" is unknown.", at: value.location)
            }
        }
        guard !diagnostics.hasErrors else { throw GeneratorFailure(diagnostics.all) }
        configuration.naming = NamingRules(acronyms: acronyms)
    }

    private static func names(_ cursor: DocumentCursor, _ diagnostics: inout DiagnosticList) -> [String: String] {
        var names: [String: String] = [:]
        for (key, value) in cursor.members { names[key] = name(value, &diagnostics) }
        return names
    }

    private static func name(_ cursor: DocumentCursor, _ diagnostics: inout DiagnosticList) -> String? {
        let text = cursor.node.string ?? ""
        let isValid =
            text.first.map { $0.isLetter || $0 == "_" } == true
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        if !isValid { diagnostics.error(.configuration, "\"\(text)\" is no name in Swift.", at: cursor.location) }
        return isValid ? text : nil
    }
}
