/// The path of a value in nested parameters, for errors: `user.scores[2]`.
struct ParameterPath {
    private var steps: [String] = []

    mutating func append(_ name: String) { steps.append(steps.isEmpty ? name : ".\(name)") }
    mutating func append(_ index: Int) { steps.append("[\(index)]") }
    mutating func removeLast() { steps.removeLast() }

    var text: String { steps.isEmpty ? "the top level" : steps.joined() }
}
