import Foundation

/// A private temporary folder.
enum TemporaryFolder {
    /// Creates a folder, runs a function with it, and removes it with its content, also if the function throws.
    static func use<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-cli-\(UUID().uuidString)", isDirectory: true)
        // Only the owner has access, because the parent folder is shared.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
