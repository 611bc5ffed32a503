import MoyaHAR

/// The expectation for a body in JSON.
struct ExpectedJSON: Sendable {
    private(set) var value: JSONValue
    /// Whether objects may have no other members.
    private var isWhole: Bool
    /// The members that the outer object must not have.
    private var missing: Set<ExactText> = []

    init(_ value: JSONValue, isWhole: Bool) { (self.value, self.isWhole) = (value, isWhole) }

    /// Adds the members of another object to the expected ones; any other value replaces the expected value.
    mutating func include(_ other: JSONValue) {
        guard case .object = value, case .object(let members) = other else {
            self = ExpectedJSON(other, isWhole: false)
            return
        }
        value = value.adding(other)
        missing.subtract(members.keys)
    }

    /// Expects an object without a member.
    mutating func exclude(_ name: ExactText) {
        guard case .object(var members) = value else {
            self = ExpectedJSON(.object([:]), isWhole: false)
            return exclude(name)
        }
        members[name] = nil
        value = .object(members)
        missing.insert(name)
    }

    /// Returns the part of a body that is compared.
    func comparedPart(of actual: JSONValue) -> JSONValue {
        if isWhole { return actual }
        let names = JSONValue.object(missing.reduce(into: [:]) { $0[$1] = .null })
        return actual.keepingMembers(of: missing.isEmpty ? value : value.adding(names))
    }
}

extension JSONValue {
    /// Returns the object with the members of another object added; the other value if one of the two is not an object.
    fileprivate func adding(_ other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = other else { return other }
        return .object(members.merging(others) { $0.adding($1) })
    }
}
