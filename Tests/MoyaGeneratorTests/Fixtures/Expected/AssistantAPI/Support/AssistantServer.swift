import Foundation

/// The servers of Assistant.
public enum AssistantServer {
    /// Production.
    public static func production(region: String = "eu") -> URL? {
        URL(string: "https://\(region).assistant.example/v2")
    }

    /// Staging.
    public static let staging = URL(string: "https://staging.assistant.example/v2")!
}
