/// Groups the paths of recorded requests into templates.
struct RecordedPaths {
    /// A segment of a template.
    enum Segment: Hashable {
        case literal(String)
        /// A parameter with its name.
        case parameter(String)

        var text: String {
            switch self {
            case .literal(let text): text
            case .parameter(let name): "{\(name)}"
            }
        }
    }

    private var parameters: Set<[String]> = []

    /// Finds the places at which segments are parameters.
    init(_ exchanges: [RecordedExchange]) {
        // From the left to the right, because the place of a segment has the parameters before it.
        let depth = exchanges.map(\.path.count).max() ?? 0
        for position in 0..<depth {
            var found: [[String]: Set<String>] = [:]
            var keys: [[String]: [Set<String>]] = [:]
            for exchange in exchanges where exchange.path.count > position {
                let prefix = place(Array(exchange.path[..<position]))
                let segment = exchange.path[position]
                if TextForm.isIdentifier(segment) {
                    parameters.insert(prefix)
                } else {
                    found[prefix, default: []].insert(segment)
                    if exchange.path.count == position + 1, exchange.method == "GET", exchange.status < 300 {
                        keys[prefix, default: []].append(Self.memberNames(exchange))
                    }
                }
            }
            for (prefix, segments) in found where segments.count > 1 {
                guard let parent = prefix.last, parent != "*", Self.isPlural(parent) else { continue }
                if Self.areItems(keys[prefix] ?? [], count: segments.count) { parameters.insert(prefix) }
            }
        }
    }

    /// Returns the segments with a star for each parameter.
    private func place(_ segments: [String]) -> [String] {
        var place: [String] = []
        for segment in segments { place.append(parameters.contains(place) ? "*" : segment) }
        return place
    }

    /// Returns the template of a path, whose parameters are named after the segments before them.
    func template(of path: [String]) -> [Segment] {
        var template: [Segment] = []
        var names = UniqueNames()
        for (segment, marked) in zip(path, place(path)) {
            guard marked == "*" else {
                template.append(.literal(segment))
                continue
            }
            var base = Words([])
            if case .literal(let parent)? = template.last { base = Words(of: parent).singular }
            let isName = !TextForm.isIdentifier(segment)
            let words = base + Words([isName ? "name" : "id"])
            template.append(.parameter(names.take([words.all.joined(separator: "_")])))
        }
        return template
    }

    private static func isPlural(_ text: String) -> Bool { Words(of: text).singular != Words(of: text) }

    /// Returns the names of the members of a response.
    private static func memberNames(_ exchange: RecordedExchange) -> Set<String> {
        guard let text = exchange.responseBody?.text, let node = try? JSONText.parse(Array(text.utf8)) else {
            return []
        }
        return Set(node.members?.all.map(\.key) ?? [])
    }

    /// Whether responses are items of one kind, because most of their members have the same names.
    private static func areItems(_ names: [Set<String>], count: Int) -> Bool {
        guard names.count >= 2, names.count >= count, let first = names.first, first.count >= 2 else { return false }
        return names.allSatisfy { other in
            let common = first.intersection(other).count
            return Double(common) >= 0.6 * Double(first.union(other).count)
        }
    }
}
