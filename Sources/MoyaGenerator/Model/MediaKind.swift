/// The kind of a body by its content type.
enum MediaKind: Int, Comparable {
    // From the kind that is preferred to the one that is used last.
    case json, form, multipart, lines, events, text, binary, xml

    static func < (lhs: MediaKind, rhs: MediaKind) -> Bool { lhs.rawValue < rhs.rawValue }

    init(_ contentType: String) {
        let name = contentType.split(separator: ";").first.map { $0.trimmingPrefix(while: \.isWhitespace) } ?? ""
        let type = name.lowercased().trimmingSuffix(while: \.isWhitespace)
        switch type {
        case "*/*", "application/*", "", "text/json": self = .json
        case "text/event-stream": self = .events
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
            "application/json-lines",
            "application/jsonlines", "application/json-seq", "application/stream+json", "application/x-json-stream":
            self = .lines
        case "application/x-www-form-urlencoded": self = .form
        case "application/xml", "text/xml": self = .xml
        case "application/yaml", "application/x-yaml", "application/graphql", "application/sql": self = .text
        default:
            if type.hasSuffix("/json") || type.hasSuffix("+json") {
                self = .json
            } else if type.hasSuffix("+xml") {
                self = .xml
            } else if type.hasPrefix("multipart/") {
                self = .multipart
            } else if type.hasPrefix("text/") {
                self = .text
            } else {
                self = .binary
            }
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = String(self)
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
