#if Macros
    /// A piece of a text with parameters in it.
    enum TemplatePiece: Equatable {
        case text(String)
        /// The name of a parameter, and where it begins, in bytes.
        case variable(String, offset: Int)
    }

    /// A path, and perhaps a query, with parameters in them: `/users/{name}/repos?type=owner&per_page={perPage}`.
    struct PathTemplate: Equatable {
        /// An item of the query.
        struct Item: Equatable {
            var name: String
            var value: TemplatePiece
        }

        var path: [TemplatePiece] = []
        var query: [Item] = []

        /// All parameters, and where they begin.
        var variables: [(name: String, offset: Int)] {
            (path + query.map(\.value)).compactMap { piece in
                if case .variable(let name, let offset) = piece { (name, offset) } else { nil }
            }
        }

        /// The names of those in the path.
        var pathVariables: [String] {
            path.compactMap { piece in if case .variable(let name, _) = piece { name } else { nil } }
        }

        /// The template with the names of parameters left out: two that are the same here are the same route.
        var route: String {
            let path = path.map { piece in if case .text(let text) = piece { text } else { "{}" } }.joined()
            let items = query.map { item in
                if case .text(let text) = item.value { "\(item.name)=\(text)" } else { item.name }
            }
            return items.isEmpty ? path : path + "?" + items.sorted().joined(separator: "&")
        }
    }
#endif
