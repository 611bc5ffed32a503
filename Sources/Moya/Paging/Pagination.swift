import Foundation
import MoyaHTTP
import MoyaJSON

/// The way in which a server divides a list into pages.
///
///     provider.pages(.issues, of: Issue.self, by: .link)
///     provider.pages(.charges, of: Charge.self, by: .cursor(at: "data.id", query: "starting_after", while: "has_more"))
///
/// Key paths are names of nested objects in a JSON body, separated by dots; for an array the rest of the path is applied to each
/// element. A member whose name contains the dots, such as `@odata.nextLink`, is found by its whole name.
///
/// A page at another URL is requested with the headers, the body and the plugins of its target. The URL must have the origin of the
/// target's URL, or be its `https` URL if the target's is `http`; otherwise the list ends with ``PaginationError/otherOrigin``.
public struct Pagination: Sendable {
    /// The next page, as the closure of a custom pagination returns it.
    public enum Next: Equatable, Sendable {
        /// The page has this URL, which replaces the URL and the query of the target.
        case url(URL)
        /// The page has the URL of the target, with these query items in place of those with the same names.
        case query([String: String])
    }

    /// The facts by which the next page is found.
    struct Facts: Sendable {
        let response: Response
        let position: PagePosition
        let itemCount: Int
    }

    /// The location of the first page.
    let first: PagePosition.Location
    /// Whether a page with the bytes of the page before it is an error.
    let refusesRepetition: Bool
    /// Returns the location of the next page; `nil` after the last one.
    let next: @Sendable (Facts) throws -> PagePosition.Location?

    private init(
        first: PagePosition.Location = .first,
        refusesRepetition: Bool = false,
        next: @escaping @Sendable (Facts) throws -> PagePosition.Location?
    ) {
        self.first = first
        self.refusesRepetition = refusesRepetition
        self.next = next
    }

    /// The next page is the link with the relation `next` in the `Link` header (RFC 8288), as GitHub and GitLab send it.
    ///
    /// The page without such a link is the last one. A link with an `anchor` belongs to another resource, and is ignored.
    public static let link = Pagination { facts in
        guard let reference = facts.response.reference(of: "next") else { return nil }
        return try facts.location(of: reference)
    }

    /// The next page has the URL in the body, as in JSON:API's `links.next`; the page without a URL, or with `null`, is the last one.
    public static func nextURL(at keyPath: String) -> Pagination {
        Pagination { facts in
            guard let reference = try facts.token(at: keyPath) else { return nil }
            return try facts.location(of: reference)
        }
    }

    /// The next page is found by a cursor in the body, which is sent as a query item.
    ///
    /// The page without a cursor, with an empty one, or with `null`, is the last one. If the value is an array, such as the
    /// identifiers of all items, the cursor is its last element.
    ///
    /// - Parameters:
    ///   - keyPath: The location of the cursor in the body: a text or a number.
    ///   - name: The name of the query item.
    ///   - hasMore: The location of a Boolean, which is false in the last page; `nil` if the body has none.
    /// - Returns: The pagination.
    public static func cursor(at keyPath: String, query name: String, while hasMore: String? = nil) -> Pagination {
        Pagination { facts in try facts.cursor(at: keyPath, while: hasMore).map { .query([name: $0]) } }
    }

    /// A cursor that is sent by the target.
    static func cursor(at keyPath: String, while hasMore: String?) -> Pagination {
        Pagination { facts in try facts.cursor(at: keyPath, while: hasMore).map { .cursor($0) } }
    }

    /// The pages have numbers, which are sent as a query item; the list ends with an empty page, or with the last number.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - first: The number of the first page.
    ///   - lastPage: The location of the last page's number in the body; `nil` if the body has none.
    /// - Returns: The pagination.
    public static func pageNumbers(
        query name: String = "page",
        startingAt first: Int = 1,
        lastPageAt lastPage: String? = nil
    ) -> Pagination {
        Pagination(first: .query([name: "\(first)"]), refusesRepetition: true) { facts in
            let number = try facts.number(name)
            if facts.itemCount == 0 { return nil }
            if let lastPage, let last = try facts.number(at: lastPage), number >= last { return nil }
            return number == .max ? nil : .query([name: "\(number + 1)"])
        }
    }

    /// The pages begin at the number of items before them, which is sent as a query item; the list ends with an empty page, or at the
    /// total number of items.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - first: The offset of the first item.
    ///   - total: The location of the total number of items in the body; `nil` if the body has none.
    /// - Returns: The pagination.
    public static func offsets(
        query name: String = "offset",
        startingAt first: Int = 0,
        totalAt total: String? = nil
    ) -> Pagination {
        Pagination(first: .query([name: "\(first)"]), refusesRepetition: true) { facts in
            let offset = try facts.number(name)
            if facts.itemCount == 0 { return nil }
            let (next, isTooLarge) = offset.addingReportingOverflow(facts.itemCount)
            if isTooLarge { return nil }
            if let total, let count = try facts.number(at: total), next - first >= count { return nil }
            return .query([name: "\(next)"])
        }
    }

    /// A number of given pages, which are not requested.
    static func given(_ count: Int) -> Pagination {
        Pagination { facts in
            facts.position.number < count ? .query(["page": "\(facts.position.number + 1)"]) : nil
        }
    }

    /// The next page is found by a function of the response; `nil` after the last page.
    ///
    ///     .custom { response in
    ///         response.headers["X-Next-Token"].map { .query(["token": $0]) }
    ///     }
    ///
    /// - Parameter next: Returns the next page. A thrown ``MoyaError`` ends the list as it is, and any other error in
    ///   ``MoyaError/underlying(_:_:)``.
    /// - Returns: The pagination.
    @preconcurrency
    public static func custom(_ next: @escaping @Sendable (Response) throws -> Next?) -> Pagination {
        Pagination { facts in
            switch try next(facts.response) {
            case .url(let url): try facts.location(of: url.absoluteString)
            case .query(let items): .query(items)
            case nil: nil
            }
        }
    }
}

extension Response {
    /// Returns the URL of a link in the `Link` header (RFC 8288), such as `last`; `nil` if there is none, or if it is invalid.
    ///
    /// A relative URL is resolved against the URL of the response. A link with an `anchor` belongs to another resource, and is
    /// ignored.
    ///
    /// - Parameter relation: The relation type, without regard to case.
    /// - Returns: The URL.
    public func link(_ relation: String) -> URL? {
        guard let base = finalURL else { return reference(of: relation).flatMap { URL(string: $0) } }
        return reference(of: relation).flatMap { RedirectLocation.url(of: $0, base: base) }
    }

    /// Returns the URL of the first link with a relation type, as received.
    fileprivate func reference(of relation: String) -> String? {
        guard let value = headers["Link"] else { return nil }
        let relation = relation.lowercased()
        return LinkField.links(in: value).first { $0.relations.contains(relation) }?.target
    }
}

extension Pagination.Facts {
    /// Returns the location of a URL that the server has sent.
    ///
    /// - Throws: ``PaginationError/invalidNext(page:)``.
    fileprivate func location(of reference: String) throws(PaginationError) -> PagePosition.Location {
        let url = response.finalURL.map { RedirectLocation.url(of: reference, base: $0) } ?? URL(string: reference)
        guard let url, let location = PagePosition.Location(url) else {
            throw .invalidNext(page: position.number)
        }
        return location
    }

    /// Returns the cursor in the body; `nil` in the last page.
    fileprivate func cursor(at keyPath: String, while hasMore: String?) throws -> String? {
        if let hasMore, try token(at: hasMore) == "false" { return nil }
        return try token(at: keyPath)
    }

    /// Returns the number that was sent as a query item.
    ///
    /// - Throws: ``PaginationError/unsuitablePosition``.
    fileprivate func number(_ name: String) throws(PaginationError) -> Int {
        guard case .query(let items) = position.location, let number = items[name].flatMap({ Int($0) }) else {
            throw .unsuitablePosition
        }
        return number
    }

    /// Returns the number in the body; `nil` if there is none.
    fileprivate func number(at keyPath: String) throws -> Int? { try token(at: keyPath).flatMap { Int($0) } }

    /// Returns the text, the number or the Boolean in the body; `nil` if it is missing, empty or `null`.
    ///
    /// - Throws: ``MoyaError/jsonMapping(_:)``, or ``PaginationError/invalidNext(page:)`` for an object.
    fileprivate func token(at keyPath: String) throws -> String? {
        if response.data.isEmpty { return nil }
        let part: Data?
        do {
            let whole = keyPath.contains(".") ? try JSONKeyPath(name: keyPath).part(of: response.data) : nil
            part = try whole ?? JSONKeyPath(keyPath).part(of: response.data)
        } catch {
            throw MoyaError.jsonMapping(response)
        }
        guard let part else { return nil }
        guard let token = try? JSONDecoder().quicklyDecode(PageToken.self, from: part) else {
            throw PaginationError.invalidNext(page: position.number)
        }
        return token.text
    }
}

extension PagePosition.Location {
    /// Creates the location of an absolute URL, without its fragment; `nil` for another scheme than `http` and `https`.
    init?(_ url: URL) {
        guard Origin(url) != nil else { return nil }
        self = .url(String(url.withoutCredentials.absoluteString.prefix { $0 != "#" }))
    }
}

/// A scalar JSON value as text: the last one of an array.
private struct PageToken: Decodable {
    /// The text; `nil` for `null`, for an empty text, and for an empty array.
    let text: String?

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var last: String?
            while !list.isAtEnd { last = try list.decode(PageToken.self).text }
            text = last
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            text = nil
        } else if let flag = try? value.decode(Bool.self) {
            text = "\(flag)"
        } else if let number = try? value.decode(Int64.self) {
            text = "\(number)"
        } else if let number = try? value.decode(Decimal.self) {
            text = "\(number)"
        } else {
            let string = try value.decode(String.self)
            text = string.isEmpty ? nil : string
        }
    }
}
