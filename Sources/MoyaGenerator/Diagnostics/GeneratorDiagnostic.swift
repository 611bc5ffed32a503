/// A message about a document: an error, or a feature that the generated code lacks or approximates.
package struct GeneratorDiagnostic: Hashable, Sendable {
    package enum Severity: String, Sendable {
        case error, warning
    }

    package var severity: Severity
    package var feature: Feature
    package var message: String
    package var location: SourceLocation

    package init(_ severity: Severity, _ feature: Feature, _ message: String, at location: SourceLocation) {
        (self.severity, self.feature, self.message, self.location) = (severity, feature, message, location)
    }

    /// The feature that a message is about, for the summary.
    package enum Feature: String, Sendable, CaseIterable {
        case syntax
        case structure
        case version
        case reference
        case filter
        case configuration
        case name
        case schema
        case union
        case enumeration
        case parameter
        case body
        case response
        case security
        case server
        case method
    }
}

extension GeneratorDiagnostic: CustomStringConvertible {
    /// The message in the form of compilers, with the JSON pointer at its end.
    package var description: String {
        let place = location.line > 0 ? "\(location.file):\(location.line):\(location.column)" : location.file
        let pointer = location.pointer.isEmpty ? "" : " (\(location.pointer))"
        return "\(place): \(severity.rawValue): \(message)\(pointer)"
    }
}

/// Collects the messages of a run.
package struct DiagnosticList: Sendable {
    package private(set) var all: [GeneratorDiagnostic] = []
    private var known: Set<GeneratorDiagnostic> = []

    package init() {}

    /// Whether a message is an error.
    package var hasErrors: Bool { all.contains { $0.severity == .error } }

    package mutating func error(
        _ feature: GeneratorDiagnostic.Feature,
        _ message: String,
        at location: SourceLocation
    ) {
        add(GeneratorDiagnostic(.error, feature, message, at: location))
    }

    package mutating func warn(
        _ feature: GeneratorDiagnostic.Feature,
        _ message: String,
        at location: SourceLocation
    ) {
        add(GeneratorDiagnostic(.warning, feature, message, at: location))
    }

    /// Adds a message once, because a schema that several operations use is read several times.
    package mutating func add(_ diagnostic: GeneratorDiagnostic) {
        guard known.insert(diagnostic).inserted else { return }
        all.append(diagnostic)
    }

    package mutating func add(_ diagnostics: some Sequence<GeneratorDiagnostic>) {
        for diagnostic in diagnostics { add(diagnostic) }
    }
}

/// The error of a run that cannot continue.
package struct GeneratorFailure: Error, CustomStringConvertible {
    package var diagnostics: [GeneratorDiagnostic]

    package init(_ diagnostics: [GeneratorDiagnostic]) { self.diagnostics = diagnostics }

    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
