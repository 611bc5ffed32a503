extension NetworkActivityPlugin {
    /// Creates a plugin whose closure does not receive the target.
    @available(
        *,
        deprecated,
        message: "The closure gets the target, too: write NetworkActivityPlugin { change, _ in … }."
    )
    @_disfavoredOverload
    @preconcurrency
    public convenience init(networkActivityClosure: @escaping @Sendable (NetworkActivityChangeType) -> Void) {
        self.init { change, _ in networkActivityClosure(change) }
    }
}
