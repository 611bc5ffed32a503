#if Macros
    /// Writes the JSON object that an endpoint's parameters are the members of.
    struct MemberBodyWriter {
        let endpoint: Endpoint

        private var members: [Parameter] { endpoint.parameters(.member) }
        private var name: String { endpoint.caseName.replacing("`", with: "").capitalizedFirst + "Body" }

        /// An expression for the object; `nil` if there is none.
        var construction: String? {
            guard !members.isEmpty else { return nil }
            return "\(name)(\(members.map { "\($0.name): \($0.name)" }.joined(separator: ", ")))"
        }

        /// The object's type, in lines; `nil` if there is none.
        var lines: [String]? {
            guard !members.isEmpty else { return nil }
            var lines = ["private struct \(name): Encodable {"]
            lines += members.map { "    let \($0.name): \($0.type.text)" }
            if members.contains(where: { $0.wireName != $0.name }) {
                lines += ["", "    enum CodingKeys: String, CodingKey {"]
                lines += members.map { member in
                    let value = member.wireName == member.name ? "" : " = \(CodeText.literal(member.wireName))"
                    return "        case \(member.name)\(value)"
                }
                lines.append("    }")
            }
            return lines + ["}"]
        }
    }
#endif
