/// What the embedded server can be told to get wrong, to see that the demo notices.
enum DemoFault: CaseIterable, Sendable {
    /// `/zen` says something else.
    case otherZen
    /// `/users/{name}` answers 500.
    case brokenUsers
    /// `/users/{name}/repos` does not sort.
    case unsortedRepositories
    /// `/user` does not look at the token.
    case openUser
    /// `/broken` works.
    case soundBroken
    /// `/readme` is not compressed.
    case plainReadme
    /// `/log` ends too soon.
    case shortLog
    /// `/activity` forgets what comes after the first connection.
    case lostEvents
    /// `/bytes` gives a wrong byte, and gets one.
    case damagedBytes
}
