#if Macros
import SwiftSyntax

/// The types that source files declare, by name.
final class DeclaredTypes: SyntaxVisitor {
    /// A declaration of a type, with the file that has it.
    struct Declaration {
        var node: DeclSyntax
        var file: Int
        /// The names of the types around it, and its own.
        var path: [String]

        /// The name of the schema.
        var schemaName: String { path.joined() }
    }

    private(set) var types: [String: Declaration] = [:]
    /// The protocols with `@API`, in the order of their declaration.
    private(set) var apis: [Declaration] = []
    private var file = 0
    private var path: [String] = []

    init() { super.init(viewMode: .sourceAccurate) }

    /// Adds the types of a file.
    func add(_ source: SourceFileSyntax, file: Int) {
        self.file = file
        path = []
        walk(source)
    }

    /// Returns the declaration that a name means inside of a type.
    func find(_ name: String, in scope: [String]) -> Declaration? {
        var scope = scope
        while true {
            if let found = types[(scope + [name]).joined(separator: ".")] { return found }
            guard !scope.isEmpty else { return nil }
            scope.removeLast()
        }
    }

    private func enter(_ node: some NamedDeclSyntax & DeclSyntaxProtocol) -> SyntaxVisitorContinueKind {
        path.append(node.name.plainName)
        types[path.joined(separator: ".")] = Declaration(node: DeclSyntax(node), file: file, path: path)
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: StructDeclSyntax) { path.removeLast() }
    override func visitPost(_ node: ClassDeclSyntax) { path.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { path.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { path.removeLast() }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        let path = path + [node.name.plainName]
        types[path.joined(separator: ".")] = Declaration(node: DeclSyntax(node), file: file, path: path)
        return .skipChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        path += node.extendedType.trimmedDescription.split(separator: ".").map(String.init)
        return .visitChildren
    }

    override func visitPost(_ node: ExtensionDeclSyntax) {
        path.removeLast(node.extendedType.trimmedDescription.split(separator: ".").count)
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        if !node.attributes.attributes(named: "API").isEmpty {
            apis.append(Declaration(node: DeclSyntax(node), file: file, path: path + [node.name.plainName]))
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
#endif
