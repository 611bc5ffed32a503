/// Gives each thing a name that no other has.
package struct UniqueNames: Sendable {
    /// The names in lower case, because files of names that differ only by case are one file on some systems.
    private var used: Set<String>

    package init(reserved: Set<String> = []) { used = Set(reserved.map { $0.lowercased() }) }

    package func isFree(_ name: String) -> Bool { !used.contains(name.lowercased()) }

    /// Takes the first free one of some names, and otherwise the last of them with a number.
    package mutating func take(_ candidates: [String]) -> String {
        let name = candidates.first(where: isFree) ?? numbered(candidates.last ?? "value")
        used.insert(name.lowercased())
        return name
    }

    private func numbered(_ name: String) -> String {
        let separator = name.last?.isNumber == true ? "_" : ""
        var number = 2
        while !isFree("\(name)\(separator)\(number)") { number += 1 }
        return "\(name)\(separator)\(number)"
    }
}
