/// A typed target whose output is a page of a list.
///
///     struct Repositories: PagedTargetType {
///         typealias Output = [Repository]
///         var owner: String
///         var pagination: Pagination { .link }
///         …
///     }
///
///     for try await repository in provider.pages(Repositories(owner: "octocat")) { … }
///
/// A request of the target returns its first page. ``TypedTargetType/outputKeyPath`` names the location of the items in the body.
@preconcurrency
public protocol PagedTargetType<Output>: TypedTargetType where Output: Collection, Output.Element: Sendable {
    /// The way in which the server divides the list into pages.
    var pagination: Pagination { get }
}
