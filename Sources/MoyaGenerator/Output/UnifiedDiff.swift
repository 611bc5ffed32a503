/// Compares texts line by line.
enum UnifiedDiff {
    private enum Line: Equatable {
        case same(String), removed(String), added(String)

        var text: String {
            switch self {
            case .same(let line): " " + line
            case .removed(let line): "-" + line
            case .added(let line): "+" + line
            }
        }
    }

    /// Returns the differences with three lines around each.
    static func text(_ old: String, _ new: String, path: String) -> String {
        let lines = lines(old.isEmpty ? [] : split(old), new.isEmpty ? [] : split(new))
        let changed = lines.indices.filter { if case .same = lines[$0] { false } else { true } }
        guard let first = changed.first else { return "" }
        var hunks: [ClosedRange<Int>] = []
        var range = first...first
        for index in changed.dropFirst() {
            if index - range.upperBound <= 6 {
                range = range.lowerBound...index
            } else {
                hunks.append(range)
                range = index...index
            }
        }
        hunks.append(range)
        var text = "--- \(old.isEmpty ? "/dev/null" : path)\n+++ \(new.isEmpty ? "/dev/null" : path)\n"
        for hunk in hunks { text += self.text(of: hunk, lines) }
        return text
    }

    private static func text(of hunk: ClosedRange<Int>, _ lines: [Line]) -> String {
        let start = max(0, hunk.lowerBound - 3)
        let shown = lines[start...min(lines.count - 1, hunk.upperBound + 3)]
        func count(_ lines: ArraySlice<Line>, _ isCounted: (Line) -> Bool) -> Int { lines.count(where: isCounted) }
        let isOld: (Line) -> Bool = { if case .added = $0 { false } else { true } }
        let isNew: (Line) -> Bool = { if case .removed = $0 { false } else { true } }
        let (oldBefore, newBefore) = (count(lines[..<start], isOld), count(lines[..<start], isNew))
        let (oldCount, newCount) = (count(shown, isOld), count(shown, isNew))
        let header =
            "@@ -\(oldBefore + (oldCount > 0 ? 1 : 0)),\(oldCount) +\(newBefore + (newCount > 0 ? 1 : 0)),\(newCount) @@\n"
        return header + shown.map { $0.text + "\n" }.joined()
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func lines(_ old: [String], _ new: [String]) -> [Line] {
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else if left < old.count {
                lines.append(.same(old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }
}
