// Compares the facts of Documentation/Facts.md with the names of the tests.
//
// usage: scripts/check/facts           prints the tests of each fact; fails if a fact has no test, a test or a row of its
//                                      arguments names a number that is not a fact, or Tests/FACTS.md is not up to date
//        scripts/check/facts --write   writes Tests/FACTS.md, and then does the same
//
// A test shows a fact if the name that it has in @Test or @Suite begins with the fact's number, in one of these forms:
//
//     "fact 12: …"   "facts 12, 15: …"   "facts 12 to 14: …"   "facts 7, 12 to 14: …"
import Foundation

/// A heading of Documentation/Facts.md with the numbers of the facts below it.
struct Section {
    let title: String
    var facts: [Int] = []
}

/// Reads the headings and the numbered lines of a page.
func sections(in page: String) -> [Section] {
    var sections: [Section] = []
    for line in page.split(separator: "\n") {
        if line.hasPrefix("## ") {
            sections.append(Section(title: String(line.dropFirst(3))))
        } else if let number = line.prefixMatch(of: #/([0-9]+)\. [A-Z`.]/#), !sections.isEmpty {
            sections[sections.count - 1].facts.append(Int(number.1) ?? 0)
        }
    }
    return sections
}

/// Returns the facts at the beginning of a name and the text after them, or `nil` if the name has another form.
func facts(in name: String) -> (numbers: [Int], rest: Substring)? {
    guard let form = name.prefixMatch(of: #/(facts?) ([0-9]+(?: to [0-9]+)?(?:, [0-9]+(?: to [0-9]+)?)*): /#) else {
        return nil
    }
    var numbers: [Int] = []
    for part in form.2.components(separatedBy: ", ") {
        let ends = part.components(separatedBy: " to ").compactMap(Int.init)
        guard let first = ends.first, let last = ends.last, first <= last else { return nil }
        numbers += first...last
    }
    let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy(<)
    guard isInOrder, (form.1 == "facts") == (numbers.count > 1) else { return nil }
    return (numbers, name[form.range.upperBound...])
}

func fail(_ lines: [String]) -> Never {
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || arguments == ["--write"] else { fail(["usage: scripts/check/facts [--write]"]) }

let script = URL(fileURLWithPath: CommandLine.arguments[0])
let root = script.deletingLastPathComponent().appendingPathComponent("../..").standardizedFileURL
let tests = root.appendingPathComponent("Tests")
let list = tests.appendingPathComponent("FACTS.md")
let files = (FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(".swift") }
    .sorted()

guard let page = try? String(contentsOf: root.appendingPathComponent("Documentation/Facts.md"), encoding: .utf8) else {
    fail(["Documentation/Facts.md can't be read"])
}
let known = sections(in: page)
let allNumbers = known.flatMap(\.facts)
let allFacts = Set(allNumbers)
var shown: [Int: [String]] = [:]
var mistakes: [String] = []
if allNumbers != Array(1...max(allNumbers.count, 1)) {
    mistakes.append("Documentation/Facts.md: the numbers are not 1, 2, 3 and so on, without a gap")
}
// The name is the first argument of the attribute, on the same line or the next. A line that begins with another text, such as a
// comment, does not match.
let attribute = #/^[ \t]*@(?:Test|Suite)\(\s*"((?:[^"\\\n]|\\.)*)"/#.anchorsMatchLineEndings()
for path in files {
    guard let source = try? String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8) else {
        mistakes.append("\(path) can't be read")
        continue
    }
    for match in source.matches(of: attribute) {
        let name = match.1.replacingOccurrences(of: #"\""#, with: "\"").replacingOccurrences(of: #"\\"#, with: #"\"#)
        guard let (numbers, rest) = facts(in: name) else {
            if name.contains(#/\b[Ff]acts? [0-9]/#) {
                mistakes.append("\(path): \"\(name)\" is in none of the forms that scripts/check/facts.swift lists")
            }
            continue
        }
        for number in numbers { shown[number, default: []].append("  - \(path): \(rest)") }
    }
    // Rows of arguments can begin with facts, too.
    for match in source.matches(of: #/\bfacts? [0-9]+(?:(?:, | to | and )[0-9]+)*/#.ignoresCase()) {
        let named = match.0.matches(of: #/[0-9]+/#).compactMap { Int($0.0) }
        if !allFacts.isSuperset(of: named) {
            mistakes.append("\(path): \"\(match.0)\" names a fact that is not in Documentation/Facts.md")
        }
    }
}

var lines = [
    "# Facts and their tests", "",
    "`scripts/check/facts --write` generates this list of the tests that show each of the [facts](../Documentation/Facts.md).",
]
for section in known {
    lines += ["", "## \(section.title): facts \(section.facts.first ?? 0) to \(section.facts.last ?? 0)", ""]
    for fact in section.facts {
        lines += ["- **\(fact)**" + (shown[fact] == nil ? " (no test)" : "")] + (shown[fact] ?? [])
    }
}
let text = lines.joined(separator: "\n") + "\n"
print(text)

if !arguments.isEmpty {
    do { try text.write(to: list, atomically: true, encoding: .utf8) } catch { mistakes.append("\(error)") }
} else if (try? String(contentsOf: list, encoding: .utf8)) != text {
    mistakes.append("Tests/FACTS.md is not up to date: run scripts/check/facts --write")
}
let missing = allNumbers.filter { shown[$0] == nil }
if !missing.isEmpty {
    mistakes.append("no test names these facts: \(missing.map(String.init).joined(separator: ", "))")
}
guard mistakes.isEmpty else { fail(mistakes) }
print("\(allNumbers.count) facts, each named by a test")
