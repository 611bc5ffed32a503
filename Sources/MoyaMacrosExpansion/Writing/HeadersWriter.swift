#if Macros
import MoyaCodeText

/// Generates the headers of an endpoint.
struct HeadersWriter {
    let endpoint: Endpoint

    /// The names of the parameters that the text uses.
    var names: [String] { (parameters + endpoint.parameters(.headerMap)).map(\.name) }

    /// The parameters that the text uses for one header each.
    var parameters: [Parameter] {
        let variables = endpoint.headers.flatMap(\.value).compactMap { piece in
            if case .variable(let name, _) = piece { name } else { nil }
        }
        return endpoint.parameters.filter { $0.role == .header || variables.contains($0.name) }
    }

    var text: String {
        endpoint.parameters(.headerMap).reduce(namedText) { text, map in
            let inner = text == "nil" ? "[:]" : text
            return "MoyaGenerated.WireValue.headers(\(inner), adding: \(map.code)\(endpoint.styleArgument))"
        }
    }

    /// The text without maps.
    private var namedText: String {
        let fixed = endpoint.headers.map { (key: $0.name, value: value(of: $0)) }
        let own = endpoint.parameters(.header).map { (key: $0.wireName, value: value(of: $0.code)) }
        let all = (fixed + own)
        guard !all.isEmpty else { return "nil" }
        let entries = all.map { "\(SwiftText.literal($0.key)): \($0.value)" }
        let (opening, closing) = isPlain ? ("[", "]") : ("MoyaGenerated.WireValue.headers([", "])")
        return CodeText.list(opening: opening, entries, closing: closing, room: 104).joined(separator: "\n")
    }

    /// Whether all values are texts.
    private var isPlain: Bool {
        endpoint.parameters(.header).isEmpty
            && endpoint.headers.allSatisfy { header in
                guard header.value.count == 1, case .variable? = header.value.first else { return true }
                return false
            }
    }

    private func value(of name: String) -> String {
        "MoyaGenerated.WireValue.header(\(name)\(endpoint.styleArgument))"
    }

    private func value(of header: Header) -> String {
        if header.value.count == 1, case .variable(let name, _)? = header.value.first {
            return value(of: name.asIdentifier)
        }
        let text = header.value.map { piece in
            switch piece {
            case .text(let text): SwiftText.escaped(text)
            case .variable(let name, _): "\\(\(value(of: name.asIdentifier)) ?? \"\")"
            }
        }
        return "\"\(text.joined())\""
    }
}
#endif
