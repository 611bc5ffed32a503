/// Generates the code of an API from its document.
package enum Generator {
    /// The files of an API, with the messages about its document.
    package struct Result: Sendable {
        package var files: [GeneratedFile]
        package var warnings: [GeneratorDiagnostic]
        package var summary: GeneratorSummary
    }

    /// The files that an API is read from.
    package enum Source: Sendable {
        /// A document of OpenAPI.
        case openAPI(String)
        /// HAR files with recorded traffic.
        case recordings([String])
    }

    /// Returns the files for a document.
    ///
    /// - Throws: The errors of a document that cannot be read; then there are no files.
    package static func generate(
        from source: Source,
        _ configuration: Configuration,
        files: DocumentFiles = .fileSystem()
    ) throws(GeneratorFailure) -> Result {
        let (document, warnings) = try read(source, configuration, files)
        let (model, modelWarnings) = try ModelBuilder.build(document, configuration)
        let generated = CodeWriter.files(of: model)
        var diagnostics = DiagnosticList()
        diagnostics.add(warnings)
        diagnostics.add(modelWarnings)
        let sorted = diagnostics.all.sorted { $0.location < $1.location }
        return Result(files: generated, warnings: sorted, summary: GeneratorSummary(model, generated, sorted))
    }

    private static func read(
        _ source: Source,
        _ configuration: Configuration,
        _ files: DocumentFiles
    ) throws(GeneratorFailure) -> (document: Document, warnings: [GeneratorDiagnostic]) {
        switch source {
        case .openAPI(let path): try DocumentReader.read(path, files: files)
        case .recordings(let paths):
            try RecordedDocument.read(paths, origin: configuration.baseURL, loader: files)
        }
    }
}

/// The numbers of a run.
package struct GeneratorSummary: Sendable, CustomStringConvertible {
    package var operations: Int
    package var types: Int
    package var files: Int
    package var lines: Int
    /// The number of warnings for each feature.
    package var warnings: [(feature: GeneratorDiagnostic.Feature, count: Int)]

    init(_ model: APIModel, _ files: [GeneratedFile], _ diagnostics: [GeneratorDiagnostic]) {
        operations = Set(model.services.flatMap(\.methods).map(\.location)).count
        types = model.declarations.count { !$0.kind.isPending }
        self.files = files.count
        lines = files.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
        warnings = GeneratorDiagnostic.Feature.allCases.compactMap { feature in
            let count = diagnostics.count { $0.feature == feature }
            return count == 0 ? nil : (feature, count)
        }
    }

    package var description: String {
        let text = "\(operations) operations and \(types) types in \(files) files with \(lines) lines"
        guard !warnings.isEmpty else { return text + ", without warnings" }
        let total = warnings.reduce(0) { $0 + $1.count }
        let parts = warnings.map { "\($0.feature.rawValue) \($0.count)" }.joined(separator: ", ")
        return text + ", with \(total) \(total == 1 ? "warning" : "warnings") (\(parts))"
    }
}
