#if Macros
/// Generates the extension of an enumeration that creates its cases from responses.
struct StatusResultWriter {
    /// The type as written at its use.
    let type: String
    /// The access of the members, followed by a space.
    let access: String
    let cases: [StatusCase]

    var text: String {
        let lines =
            ["\(access)static var validationType: MoyaGenerated.ValidationType { \(validation) }", ""]
            + CodeText.list(
                opening: "\(access)init(",
                ["from response: MoyaGenerated.Response", "using decoder: any MoyaGenerated.ResponseDecoder"],
                closing: ") throws(MoyaGenerated.MoyaError) {",
                room: 116
            )
            + CodeText.indented(["switch response.statusCode {"] + cases.flatMap(lines) + last + ["}"]) + ["}"]
        return (["nonisolated extension \(type): MoyaGenerated.StatusResult {"] + CodeText.indented(lines) + ["}"])
            .joined(separator: "\n")
    }

    /// The statuses that a response may have.
    private var validation: String {
        guard cases.allSatisfy({ $0.statuses != nil }) else { return ".none" }
        let all = cases.compactMap(\.statuses).flatMap(\.self)
        let single = all.filter { !$0.isRange }.map(\.text).joined(separator: ", ")
        let ranges = all.filter(\.isRange).map { "MoyaGenerated.statuses(\($0.text))" }
        return ".customCodes(\((single.isEmpty ? ranges : ["[\(single)]"] + ranges).joined(separator: " + ")))"
    }

    /// Returns the lines of the switch for a case; none for the case with all other statuses, which is the last one.
    private func lines(_ statusCase: StatusCase) -> [String] {
        guard let statuses = statusCase.statuses else { return [] }
        return ["case \(statuses.map(\.text).joined(separator: ", ")):"] + CodeText.indented([assignment(statusCase)])
    }

    private var last: [String] {
        let other = cases.first { $0.statuses == nil }
        return ["default:"] + CodeText.indented([other.map(assignment) ?? "throw .statusCode(response)"])
    }

    private func assignment(_ statusCase: StatusCase) -> String {
        let label = statusCase.label.map { "\($0.asCallLabel): " } ?? ""
        let name = "self = .\(statusCase.name.asIdentifier)"
        return switch statusCase.payload {
        case .nothing: name
        case .response: "\(name)(\(label)response)"
        case .body: "\(name)(\(label)try MoyaGenerated.StatusValue.of(response, using: decoder))"
        }
    }
}
#endif
