#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// An OpenAPI 3.1 document for the protocols with `@API` in source files.
///
/// Schemas follow from the declarations of the models in the same files, by the rules of synthesized `Codable` conformances.
package struct OpenAPIDescription {
    /// A source file.
    package struct Source {
        package var name: String
        package var text: String

        package init(name: String, text: String) {
            (self.name, self.text) = (name, text)
        }
    }

    /// The parts of a document that the sources do not determine.
    package struct Options {
        package var title: String?
        package var version = "1.0.0"
        /// The server, in place of the base URLs.
        package var server: String?
        /// Whether the names of properties are in snake case, because the coders of the API convert them.
        package var hasSnakeCaseProperties = false

        package init() {}
    }

    /// A problem in the sources, or a part of them that the document omits.
    package struct Message: Equatable {
        /// The file, line and column: `GitHub.swift:3:5`.
        package var location: String
        package var text: String
        package var isError: Bool
    }

    /// The document; `nil` if there is an error.
    package let document: String?
    package let messages: [Message]

    package init(of sources: [Source], options: Options = Options()) {
        var writer = DocumentWriter(sources: sources, options: options)
        let document = writer.document()
        messages = writer.messages
        self.document = messages.contains(where: \.isError) ? nil : document.text + "\n"
    }
}

/// Writes the document.
private struct DocumentWriter {
    let options: OpenAPIDescription.Options
    private let names: [String]
    private let files: [SourceFileSyntax]
    private let types = DeclaredTypes()
    private var schemas: SchemaWriter
    private(set) var messages: [OpenAPIDescription.Message] = []
    private var paths: [JSONText.Member] = []
    private var securitySchemes: [JSONText.Member] = []
    private var operationIDs: Set<String> = []

    init(sources: [OpenAPIDescription.Source], options: OpenAPIDescription.Options) {
        self.options = options
        names = sources.map(\.name)
        files = sources.map { Parser.parse(source: $0.text) }
        for (index, file) in files.enumerated() { types.add(file, file: index) }
        schemas = SchemaWriter(types: types, isSnakeCase: options.hasSnakeCaseProperties)
    }

    mutating func document() -> JSONText {
        var apis: [API] = []
        for declaration in types.apis {
            if let api = read(declaration) {
                apis.append(api)
                describe(api, declaration)
            }
        }
        if apis.isEmpty, !messages.contains(where: \.isError) {
            messages.append(
                .init(location: names.first ?? "", text: "there is no protocol with @API and a URL", isError: true)
            )
        }
        for problem in schemas.problems { report(problem.text, at: problem.node, in: problem.file) }
        let servers =
            options.server.map { [$0] }
            ?? apis.compactMap { if case .checked(let url) = $0.baseURL { url } else { nil } }
        var unique: [String] = []
        for server in servers where !unique.contains(server) { unique.append(server) }
        let components = JSONText.members([
            "schemas": schemas.components.isEmpty ? nil : .object(schemas.components),
            "securitySchemes": securitySchemes.isEmpty ? nil : .object(securitySchemes),
        ])
        return .members([
            "openapi": "3.1.1",
            "info": .members([
                "title": .string(options.title ?? apis.map(\.name).joined(separator: ", ")),
                "version": .string(options.version),
            ]),
            "servers": unique.isEmpty ? nil : .array(unique.map { .members(["url": .string($0)]) }),
            "tags": .array(apis.map { .members(["name": .string($0.name)]) }),
            "paths": .object(paths), "components": components == .object([]) ? nil : components,
        ])
    }

    /// Reads an API; protocols that compose others declare no endpoints.
    private mutating func read(_ declaration: DeclaredTypes.Declaration) -> API? {
        guard let node = declaration.node.as(ProtocolDeclSyntax.self),
            let attribute = node.attributes.attributes(named: "API").first,
            !attribute.composesAPIs
        else { return nil }
        var reader = APIReader()
        let api = reader.read(node, attribute: attribute)
        for diagnostic in reader.diagnostics where diagnostic.diagMessage.severity == .error {
            report(diagnostic.message, at: Syntax(diagnostic.node), in: declaration.file, isError: true)
        }
        return reader.diagnostics.hasErrors ? nil : api
    }

    private mutating func describe(_ api: API, _ declaration: DeclaredTypes.Declaration) {
        if case .expression(let expression) = api.baseURL, options.server == nil {
            report(
                "the base URL is the expression '\(expression)', so the document has no server",
                at: Syntax(declaration.node),
                in: declaration.file
            )
        }
        var scope = SchemaWriter.Scope(path: Array(declaration.path.dropLast()), file: declaration.file)
        var methods = Self.methods(of: declaration)
        for endpoint in api.endpoints {
            let index = methods.firstIndex { $0.name.plainName == endpoint.name && $0.labels == endpoint.labels }
            let node = index.map { Syntax(methods.remove(at: $0)) } ?? Syntax(declaration.node)
            scope.method = node
            let method = endpoint.method.lowercased()
            guard endpoint.parameters(.requestURL).isEmpty, Self.describedMethods.contains(method) else {
                report(
                    "'\(endpoint.fullName)' is left out, because OpenAPI 3.1 has neither its method nor its URL",
                    at: node,
                    in: declaration.file
                )
                continue
            }
            let isNew = operationIDs.insert(endpoint.caseName).inserted
            let operationID = isNew ? endpoint.caseName : "\(api.name)_\(endpoint.caseName)"
            operationIDs.insert(operationID)
            var writer = OperationWriter(api: api, endpoint: endpoint, scope: scope, operationID: operationID)
            let operation = writer.operation(&schemas)
            for omission in writer.omissions {
                report(
                    "'\(endpoint.fullName)': the document omits \(omission)",
                    at: node,
                    in: declaration.file
                )
            }
            for scheme in writer.securitySchemes where !securitySchemes.contains(scheme) {
                securitySchemes.append(scheme)
            }
            add(operation, method: method, of: endpoint, at: node, in: declaration.file)
        }
    }

    /// Returns the methods of a protocol, in their order.
    private static func methods(of declaration: DeclaredTypes.Declaration) -> [FunctionDeclSyntax] {
        let members = declaration.node.as(ProtocolDeclSyntax.self)?.memberBlock.members
        return (members ?? []).compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    }

    private static let describedMethods: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private mutating func add(
        _ operation: JSONText,
        method: String,
        of endpoint: Endpoint,
        at node: Syntax,
        in file: Int
    ) {
        let path = endpoint.template.pathText.isEmpty ? "/" : endpoint.template.pathText
        guard let index = paths.firstIndex(where: { $0.name == path }) else {
            paths.append(JSONText.Member(name: path, value: JSONText.object([]).adding(method, operation)))
            return
        }
        guard paths[index].value[method] == nil else {
            report(
                "'\(endpoint.fullName)' is left out, because another method has its path and its HTTP method",
                at: node,
                in: file
            )
            return
        }
        paths[index].value = paths[index].value.adding(method, operation)
    }

    private mutating func report(_ text: String, at node: Syntax, in file: Int, isError: Bool = false) {
        let converter = SourceLocationConverter(fileName: names[file], tree: files[file])
        let place = node.startLocation(converter: converter)
        let message = OpenAPIDescription.Message(
            location: "\(names[file]):\(place.line):\(place.column)",
            text: text,
            isError: isError
        )
        if !messages.contains(message) { messages.append(message) }
    }
}

extension FunctionDeclSyntax {
    /// The labels of the parameters, without backticks.
    fileprivate var labels: [String] { signature.parameterClause.parameters.map { $0.firstName.plainName } }
}

extension Endpoint {
    /// The labels of the parameters, without backticks.
    fileprivate var labels: [String] { parameters.map { $0.label?.withoutBackticks ?? "_" } }
}
#endif
