/// Repeatable work that the benchmarks measure.
public struct Workload: Sendable {
    /// The name on the command line and in the thresholds: `stub-async`.
    public let name: String
    /// The description for readers.
    public let title: String
    /// Performs the given number of repetitions sequentially.
    public let run: @Sendable (_ count: Int) async throws -> Void

    /// Creates a workload.
    public init(_ name: String, _ title: String, run: @escaping @Sendable (_ count: Int) async throws -> Void) {
        self.name = name
        self.title = title
        self.run = run
    }

    /// Creates a workload that repeats one step.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - title: The description.
    ///   - step: Returns its result, so that the compiler cannot eliminate the work.
    init<Value>(_ name: String, _ title: String, step: @escaping @Sendable () throws -> Value) {
        self.init(name, title) { count in
            for _ in 0..<count { use(try step()) }
        }
    }
}

/// Uses a value in a way that is opaque to the compiler.
@inline(never)
@_optimize(none)
public func use<Value>(_ value: Value) {}
