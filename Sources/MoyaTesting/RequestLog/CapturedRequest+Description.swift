import Foundation
import Moya
import MoyaHAR

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension CapturedRequest: CustomStringConvertible, CustomReflectable {
    /// The request in one line, such as `POST https://api.example.com/users, 14 bytes (GitHub.create) → 201`, with
    /// secrets masked.
    public var description: String {
        var text = "\(method.rawValue) \(Self.short(FieldMask(secrets).url(url.absoluteString)))"
        if captured != nil { text += bodySize == 1 ? ", 1 byte" : ", \(bodySize) bytes" }
        if let target { text += " (\(TargetName(target)))" }
        if let status {
            text += " → \(status)"
        } else if let error {
            text += " → \(Self.name(of: error))"
        }
        return text
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Shortens a URL; differences are printed separately.
    private static func short(_ url: String) -> String { url.count > 160 ? "\(url.prefix(160))…" : url }

    /// Returns the error's type and code without its content.
    private static func name(of error: any Error) -> String {
        switch error {
        case let error as URLError: "URLError \(error.code.rawValue)"
        default: "\(type(of: error))"
        }
    }
}
