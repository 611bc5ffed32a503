/// A position in a list that is requested in pages, which can be stored to continue there later.
///
///     for try await page in provider.pages(.repositories, of: Repository.self, by: .link).pages {
///         try await store(page.items, next: page.next)
///     }
///
/// A stored position has the URL, the query items or the cursor that the server has sent, which may be secret. It is checked like a
/// response of the server when it is used: a URL of another origin is refused. A server may forget cursors, and the items of
/// a page may have moved since.
public struct PagePosition: Codable, Hashable, Sendable {
    /// The number of the page, from 1.
    public let number: Int
    /// The number of items at the beginning of the page that have been delivered.
    public let deliveredItems: Int
    let location: Location

    /// The location of a page, relative to the request of the target.
    enum Location: Codable, Hashable, Sendable {
        /// The URL of the target.
        case first
        /// Another URL.
        case url(String)
        /// The URL of the target with these query items in place of those with the same names.
        case query([String: String])
        /// The URL of the target that is created for this cursor.
        case cursor(String)
    }

    init(number: Int = 1, location: Location, deliveredItems: Int = 0) {
        self.number = number
        self.location = location
        self.deliveredItems = deliveredItems
    }

    /// Returns this page without its first items.
    func skipping(_ count: Int) -> PagePosition {
        PagePosition(number: number, location: location, deliveredItems: count)
    }
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
    /// The number of the page, without the URL or the cursor, which may be secret.
    public var description: String {
        "page \(number)" + (deliveredItems == 0 ? "" : ", after \(deliveredItems) items")
    }

    /// A mirror without the URL and the cursor.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
