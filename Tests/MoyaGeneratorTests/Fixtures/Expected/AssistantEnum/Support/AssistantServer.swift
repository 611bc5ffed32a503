import Foundation

/// The servers of Assistant.
enum AssistantServer {
    /// Production.
    static func production(region: String = "eu") -> URL? {
        URL(string: "https://\(region).assistant.example/v2")
    }

    /// Staging.
    static let staging = URL(string: "https://staging.assistant.example/v2")!
}
