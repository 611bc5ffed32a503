import Foundation

/// The attributes of internal files of the library: they are excluded from backups, and are accessible once the user has unlocked
/// the device for the first time.
///
/// Only Apple's platforms have these attributes. A failure to set them is ignored, because a file without them can be used.
package struct KeptFile: Sendable {
    /// Sets the attributes of a new file or folder.
    package var mark: @Sendable (_ path: String) -> Void = { KeptFile.setAttributes(of: $0) }
    /// Prepares a finished file for the application: the file gets the protection of its folder, and is included in backups.
    package var release: @Sendable (_ path: String, _ folder: String) -> Void = {
        KeptFile.resetAttributes(of: $0, in: $1)
    }

    package init() {}

    #if canImport(Darwin)
    // scripts/check/apple compiles this code on Linux; no test runs it on Apple's platforms.
    private static func setAttributes(of path: String) {
        // Most applications use this class by default. With a stricter one, no request could run while the device is locked.
        protect(path, as: .completeUntilFirstUserAuthentication)
        exclude(path, true)
    }

    private static func resetAttributes(of path: String, in folder: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        if let protection = attributes?[.protectionKey] as? FileProtectionType { protect(path, as: protection) }
        exclude(path, false)
    }

    private static func protect(_ path: String, as protection: FileProtectionType) {
        try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
    }

    private static func exclude(_ path: String, _ isExcluded: Bool) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcluded
        try? url.setResourceValues(values)
    }
    #else
    private static func setAttributes(of path: String) {}
    private static func resetAttributes(of path: String, in folder: String) {}
    #endif
}
