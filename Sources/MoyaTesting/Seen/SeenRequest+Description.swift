import Foundation
import Moya
import MoyaHAR

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SeenRequest: CustomStringConvertible, CustomReflectable {
    /// The request in one line, with secrets masked: `POST https://api.example.com/users, 14 bytes (GitHub.create) → 201`.
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

    /// Nothing: what looks inside must not find secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// For people, who see the difference to another one elsewhere.
    private static func short(_ url: String) -> String { url.count > 160 ? "\(url.prefix(160))…" : url }

    /// Without what is in it.
    private static func name(of error: any Error) -> String {
        switch error {
        case let error as URLError: "URLError \(error.code.rawValue)"
        default: "\(type(of: error))"
        }
    }
}
