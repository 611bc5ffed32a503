/// What is recorded.
public struct HARRecordingOptions: Hashable, Sendable {
    /// What is masked before it is kept.
    public var secrets: HARSecrets
    /// How many bytes of each body are kept; longer ones are noted as cut. 1 MiB by default.
    public var bodyLimit: Int

    /// Makes options.
    public init(secrets: HARSecrets = .standard, bodyLimit: Int = 1 << 20) {
        self.secrets = secrets
        self.bodyLimit = max(0, bodyLimit)
    }
}
