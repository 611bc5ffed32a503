extension ModelBuilder {
    /// Returns the items of an operation whose list is divided into pages.
    mutating func paging(of operation: Operation, _ method: APIMethod) -> PagedResult? {
        guard operation.method == "GET", case .value(let type) = method.result, !method.resultIsOptional else {
            return nil
        }
        let query = Set(method.parameters.filter { $0.place == .query }.map(\.wireName))
        let hasLink = operation.responses.contains {
            $0.statuses.isSuccess && $0.headers.contains { $0.lowercased() == "link" }
        }
        if case .array(let item) = type {
            let isPaged = hasLink || operation.pagination == .link
            if let hint = operation.pagination, hint != .link { return PagedResult(pagination: hint, itemType: item) }
            return isPaged ? PagedResult(pagination: .link, itemType: item) : nil
        }
        guard let structure = structure(type) else { return nil }
        let lists = structure.properties.filter { if case .array = $0.type { true } else { false } }
        let list =
            lists.count == 1
            ? lists.first : lists.first { ["data", "items", "results", "value", "entries"].contains($0.wireName) }
        guard let list, !list.isNullable, case .array(let item) = list.type, !list.wireName.contains(".") else {
            return nil
        }
        func paged(_ pagination: PaginationHint) -> PagedResult {
            PagedResult(pagination: pagination, itemType: item, keyPath: list.wireName)
        }
        if let hint = operation.pagination { return paged(hint) }
        if hasLink { return paged(.link) }
        let members = Set(structure.properties.map(\.wireName))
        if query.contains("starting_after"), members.contains("has_more"), hasIdentifier(item) {
            return paged(.cursor(at: "\(list.wireName).id", query: "starting_after", hasMore: "has_more"))
        }
        if let path = nextURL(in: structure) { return paged(.nextURL(at: path)) }
        let cursors = [
            "cursor", "page_token", "pageToken", "next_token", "nextToken", "after", "page_cursor", "marker",
        ]
        let nexts = [
            "next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken", "next_marker",
        ]
        if let cursor = cursors.first(where: query.contains), let next = nexts.first(where: members.contains) {
            return paged(.cursor(at: next, query: cursor, hasMore: nil))
        }
        return nil
    }

    /// Returns the key path of the URL of the next page, such as `next` or `links.next.href`.
    ///
    /// `depth` limits the search in types that contain themselves.
    private func nextURL(in structure: Structure, depth: Int = 3) -> String? {
        let names: Set = [
            "next", "nextlink", "nexturl", "nexturi", "nextpageurl", "nextpageuri", "nextpagelink", "odatanextlink",
        ]
        if let next = structure.properties.first(where: { names.contains($0.bareName) && isURL($0) }) {
            return next.wireName
        }
        for property in structure.properties where depth > 1 && !property.wireName.contains(".") {
            guard let members = self.structure(property.type.wrapped) else { continue }
            let found: String? =
                switch property.bareName {
                case "links", "paging", "pagination", "pages", "meta": nextURL(in: members, depth: depth - 1)
                case "next", "nextpage":
                    members.properties.first { ["href", "url", "uri"].contains($0.wireName) && isURL($0) }?.wireName
                default: nil
                }
            if let found, !found.contains("@odata.") { return "\(property.wireName).\(found)" }
        }
        return nil
    }

    /// Whether the value is a URL: by its format, or by its name.
    private func isURL(_ property: Structure.Property) -> Bool {
        switch property.type.wrapped {
        case .known("URL"): true
        case .string: ["url", "uri", "href"].contains { property.bareName.hasSuffix($0) }
        default: false
        }
    }

    private func structure(_ type: TypeReference) -> Structure? {
        guard case .declared(let id) = type, case .structure(let structure) = types[id].kind else { return nil }
        return structure
    }

    private func hasIdentifier(_ type: TypeReference) -> Bool {
        structure(type)?.properties.contains { $0.wireName == "id" && $0.isRequired && $0.type == .string } ?? false
    }

    /// Removes the parameters that the sequence of pages sets.
    func removePageParameters(_ pagination: PaginationHint, from method: inout APIMethod) {
        let names: Set<String> =
            switch pagination {
            case .link: ["page"]
            case .nextURL: ["page", "Page", "PageToken", "page_token", "offset", "cursor"]
            case .cursor(_, "starting_after", _): ["starting_after", "ending_before"]
            case .cursor(_, let query, _), .pageNumbers(let query), .offsets(let query): [query]
            }
        method.parameters.removeAll { $0.place == .query && names.contains($0.wireName) && $0.type.isOptional }
    }
}

extension Structure.Property {
    /// The name in lowercase without its punctuation.
    fileprivate var bareName: String { wireName.lowercased().filter(\.isLetter) }
}
