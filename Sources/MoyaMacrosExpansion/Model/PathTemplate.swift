#if Macros
/// A piece of a text that may contain parameters.
enum TemplatePiece: Equatable {
    case text(String)
    /// A parameter, with the offset at which it begins, in bytes.
    case variable(String, offset: Int)
}

/// A path with an optional query that may contain parameters:
/// `/users/{name}/repos?type=owner&per_page={perPage}`.
struct PathTemplate: Equatable {
    /// An item of the query.
    struct Item: Equatable {
        var name: String
        var value: TemplatePiece
    }

    var path: [TemplatePiece] = []
    var query: [Item] = []

    /// All parameters, with the offsets at which they begin.
    var variables: [(name: String, offset: Int)] {
        (path + query.map(\.value)).compactMap { piece in
            if case .variable(let name, let offset) = piece { (name, offset) } else { nil }
        }
    }

    /// The path as written, with the names of its parameters in braces.
    var pathText: String {
        path.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name, _): "{\(name)}"
            }
        }.joined()
    }

    /// The names of the parameters in the path.
    var pathVariables: [String] {
        path.compactMap { piece in if case .variable(let name, _) = piece { name } else { nil } }
    }
}
#endif
