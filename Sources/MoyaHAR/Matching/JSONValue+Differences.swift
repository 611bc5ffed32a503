extension JSONValue {
    /// Returns the differences from a requested value, up to the limit.
    ///
    /// A text `***` matches any value. If `isRecord` is true, `***` within a text also matches any bytes. `mask` changes texts before
    /// they are shortened.
    package func differences(
        to actual: JSONValue,
        at path: String = "$",
        limit: Int = 20,
        isRecord: Bool = false,
        mask: (String) -> String = { $0 }
    ) -> [HARDifference] {
        if self == actual || self == .text(ExactText(HARSecrets.placeholder)) { return [] }
        var found: [HARDifference] = []
        switch (self, actual) {
        case (.object(let recorded), .object(let actual)):
            for name in Set(recorded.keys).union(actual.keys).sorted() where found.count < limit {
                found += Self.differences(
                    from: recorded[name],
                    to: actual[name],
                    at: "\(path).\(name.string)",
                    limit: limit - found.count,
                    isRecord: isRecord,
                    mask: mask
                )
            }
        case (.list(let recorded), .list(let actual)):
            for index in 0..<max(recorded.count, actual.count) where found.count < limit {
                found += Self.differences(
                    from: index < recorded.count ? recorded[index] : nil,
                    to: index < actual.count ? actual[index] : nil,
                    at: "\(path)[\(index)]",
                    limit: limit - found.count,
                    isRecord: isRecord,
                    mask: mask
                )
            }
        case (.text(let recorded), .text(let actual)):
            if isRecord, recorded.isMatched(by: actual) { return [] }
            let (old, new) = mask(recorded.string).shortened(beside: mask(actual.string))
            found = [.json(path: path, recorded: old.debugDescription, actual: new.debugDescription)]
        default:
            found = [.json(path: path, recorded: shownText(mask: mask), actual: actual.shownText(mask: mask))]
        }
        return found
    }

    /// Returns the value without members that another value does not have.
    package func keepingMembers(of other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(let object), .object(let other)):
            .object(other.reduce(into: [:]) { $0[$1.key] = object[$1.key]?.keepingMembers(of: $1.value) })
        case (.list(let list), .list(let other)):
            .list(list.enumerated().map { $0 < other.count ? $1.keepingMembers(of: other[$0]) : $1 })
        default: self
        }
    }

    private static func differences(
        from recorded: JSONValue?,
        to actual: JSONValue?,
        at path: String,
        limit: Int,
        isRecord: Bool,
        mask: (String) -> String
    ) -> [HARDifference] {
        guard let recorded, let actual else {
            return [.json(path: path, recorded: recorded?.shownText(mask: mask), actual: actual?.shownText(mask: mask))]
        }
        return recorded.differences(to: actual, at: path, limit: limit, isRecord: isRecord, mask: mask)
    }

    /// Returns the description; a text is masked before it is shortened.
    private func shownText(mask: (String) -> String) -> String {
        if case .text(let text) = self { return JSONValue.text(ExactText(mask(text.string))).description }
        return description
    }
}
