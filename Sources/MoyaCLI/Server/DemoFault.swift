/// The faults that a test gives the embedded server, to check that the demo detects them.
enum DemoFault: CaseIterable, Sendable {
    /// The response of `/zen` is wrong.
    case otherZen
    /// The status of `/users/{name}` is 500.
    case brokenUsers
    /// The response of `/users/{name}/repos` is not sorted.
    case unsortedRepositories
    /// The token is not checked for `/user`.
    case openUser
    /// The status of `/broken` is 200.
    case soundBroken
    /// The response of `/emojis` may not be stored.
    case uncacheableEmojis
    /// The response of `/readme` is not compressed.
    case plainReadme
    /// The response of `/log` is incomplete.
    case shortLog
    /// The events of `/activity` after the first connection are missing.
    case lostEvents
    /// The bytes of `/bytes` are damaged in both directions.
    case damagedBytes
}
