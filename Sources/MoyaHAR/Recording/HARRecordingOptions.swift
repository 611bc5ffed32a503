/// Options for recording.
public struct HARRecordingOptions: Hashable, Sendable {
    /// What is masked before it is stored.
    public var secrets: HARSecrets
    /// The number of bytes of each body that are recorded; 1 MiB by default.
    public var bodyLimit: Int

    /// Creates options.
    public init(secrets: HARSecrets = .standard, bodyLimit: Int = 1 << 20) {
        self.secrets = secrets
        self.bodyLimit = max(0, bodyLimit)
    }
}
