/// A piece of work that is measured by repeating it.
public struct Workload: Sendable {
    /// How it is called on the command line and in the thresholds: `stub-async`.
    public let name: String
    /// What it does, for a reader.
    public let title: String
    /// Does it so many times, one after the other.
    public let run: @Sendable (_ count: Int) async throws -> Void

    /// Makes a workload.
    public init(_ name: String, _ title: String, run: @escaping @Sendable (_ count: Int) async throws -> Void) {
        self.name = name
        self.title = title
        self.run = run
    }

    /// Makes a workload of one step.
    ///
    /// - Parameter step: Returns what it made, so that the compiler can't leave the work out.
    init<Value>(_ name: String, _ title: String, step: @escaping @Sendable () throws -> Value) {
        self.init(name, title) { count in
            for _ in 0..<count { use(try step()) }
        }
    }
}

/// Uses a value in a way that the compiler does not see through.
@inline(never)
@_optimize(none)
public func use<Value>(_ value: Value) {}
