/// Starts the tasks that move the bytes of an upgraded connection: on its event loop, if the task that has opened it runs on one.
///
/// The bytes then wake no thread between the connection and the task of the application. The tasks must not block.
package final class UpgradeTaskStarter: Sendable {
    package typealias Start = @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

    private let start = Locked<Start?>(nil)

    package init() {}

    /// Sets the function that starts a task on the event loop; a transport calls it when the server has agreed.
    package func use(_ start: @escaping Start) { self.start.withLock { $0 = start } }

    /// Starts a task that is detached from the current one.
    package func startTask(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let start = start.withLock { $0 }
        return start?(work) ?? Task.detached { await work() }
    }
}

extension UpgradeTaskStarter: Hashable {
    package static func == (lhs: UpgradeTaskStarter, rhs: UpgradeTaskStarter) -> Bool { lhs === rhs }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
