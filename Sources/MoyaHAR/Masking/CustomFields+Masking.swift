import Foundation
import MoyaHTTP

extension CustomFields {
    /// Returns the fields with the values of secret names masked.
    func masking(_ secrets: HARSecrets, _ found: FoundSecrets? = nil) -> CustomFields {
        guard !values.isEmpty, !secrets.isOff else { return self }
        let fields = FieldMask(secrets, found: found)
        let body = BodyMask(secrets, mimeType: "", found: found)
        var masked = self
        masked.values = values.reduce(into: [:]) { masked, field in
            let isSecret = secrets.isSecret(field.key.hasPrefix("_") ? String(field.key.dropFirst()) : field.key)
            masked[field.key] = field.value.masking(isSecret: isSecret, secrets: secrets, found: found) { text in
                fields.text(String(decoding: body.data(Data(text.utf8)), as: UTF8.self))
            }
        }
        return masked
    }

    mutating func scrub(_ scrubber: SecretScrubber) {
        values = values.mapValues { value in value.changingTexts { scrubber.scrubbing($0) } }
    }
}

extension JSONValue {
    /// Returns the value with secret members masked and its texts passed through a function.
    fileprivate func masking(
        isSecret: Bool,
        secrets: HARSecrets,
        found: FoundSecrets?,
        text: (String) -> String
    ) -> JSONValue {
        if isSecret {
            if self == .null { return self }
            _ = changingTexts { text in
                found?.add(text)
                return text
            }
            return .text(ExactText(HARSecrets.placeholder))
        }
        switch self {
        case .null, .bool, .number: return self
        case .text(let value): return .text(ExactText(text(value.string)))
        case .list(let list):
            return .list(list.map { $0.masking(isSecret: false, secrets: secrets, found: found, text: text) })
        case .object(let object):
            return .object(
                object.reduce(into: [:]) {
                    $0[$1.key] = $1.value.masking(
                        isSecret: secrets.isSecret($1.key.string),
                        secrets: secrets,
                        found: found,
                        text: text
                    )
                }
            )
        }
    }

    /// Returns the value with all its texts, including nested ones, passed through a function.
    fileprivate func changingTexts(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .text(let text): .text(ExactText(change(text.string)))
        case .list(let list): .list(list.map { $0.changingTexts(change) })
        case .object(let object): .object(object.mapValues { $0.changingTexts(change) })
        }
    }
}
