/// Reads the extensions that describe how a list is divided into pages.
enum PaginationHintReader {
    static func read(_ operation: DocumentCursor) -> PaginationHint? {
        if let pageable = operation["x-ms-pageable"] {
            return pageable.text("nextLinkName").map { .nextURL(at: $0) }
        }
        if let hint = operation["x-speakeasy-pagination"] { return readSpeakeasy(hint) }
        if let hint = operation["x-fern-pagination"] { return readFern(hint) }
        return nil
    }

    private static func readSpeakeasy(_ hint: DocumentCursor) -> PaginationHint? {
        let inputs = hint["inputs"]?.elements ?? []
        func input(_ type: String) -> String? {
            inputs.first { $0.text("type") == type && $0.text("in") != "requestBody" }?.text("name")
        }
        let outputs = hint["outputs"]
        switch hint.text("type") {
        case "cursor":
            guard let query = input("cursor"), let path = outputs?.text("nextCursor").flatMap(keyPath) else {
                return nil
            }
            return .cursor(at: path, query: query, hasMore: nil)
        case "url": return outputs?.text("nextUrl").flatMap(keyPath).map { .nextURL(at: $0) }
        case "offsetLimit":
            if let page = input("page") { return .pageNumbers(query: page) }
            return input("offset").map { .offsets(query: $0) }
        default: return nil
        }
    }

    private static func readFern(_ hint: DocumentCursor) -> PaginationHint? {
        func request(_ key: String) -> String? {
            hint.text(key).flatMap { $0.hasPrefix("$request.") ? String($0.dropFirst("$request.".count)) : nil }
        }
        if let query = request("cursor"), let path = hint.text("next_cursor").flatMap(keyPath) {
            return .cursor(at: path, query: query, hasMore: nil)
        }
        return request("offset").map { $0.contains("page") ? .pageNumbers(query: $0) : .offsets(query: $0) }
    }

    /// Returns the names of a path such as `$.meta.next` or `$response.next`; `nil` for a path with other parts.
    private static func keyPath(_ text: String) -> String? {
        let parts = text.split(separator: ".")
        guard let first = parts.first, first.hasPrefix("$"), parts.count > 1 else { return nil }
        let names = parts.dropFirst()
        return names.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || "_-@".contains($0) } }
            ? names.joined(separator: ".") : nil
    }
}
