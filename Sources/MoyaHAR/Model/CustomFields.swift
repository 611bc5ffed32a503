import Foundation
import MoyaHTTP

/// Custom fields of other programs, whose names begin with an underscore (HAR 1.2, "Custom fields").
///
/// They are kept unchanged, so that they are written again.
struct CustomFields: Hashable, Sendable {
    private var values: [String: JSONValue] = [:]

    init() {}

    /// Reads the custom fields of an object, except known ones.
    init(of object: [String: Any], besides known: Set<String> = []) {
        for (name, value) in object where name.hasPrefix("_") && !known.contains(name) {
            values[name] = JSONValue(value)
        }
    }

    func encode(to encoder: any Encoder) throws {
        guard !values.isEmpty else { return }
        var container = encoder.container(keyedBy: AnyKey.self)
        try encode(to: &container)
    }

    func encode(to container: inout KeyedEncodingContainer<AnyKey>) throws {
        for (name, value) in values { try container.encode(value, forKey: AnyKey(stringValue: name)) }
    }

    /// Returns the fields with secrets masked, by the same names as elsewhere.
    func masking(_ secrets: HARSecrets, _ found: FoundSecrets? = nil) -> CustomFields {
        guard !values.isEmpty, !secrets.isOff else { return self }
        let fields = FieldMask(secrets, found: found)
        let body = BodyMask(secrets, mimeType: "", found: found)
        var masked = self
        masked.values = values.reduce(into: [:]) { masked, field in
            let isSecret = secrets.hides(String(field.key.dropFirst()))
            masked[field.key] = field.value.masking(isSecret: isSecret, secrets, found) { text in
                fields.text(String(decoding: body.data(Data(text.utf8)), as: UTF8.self))
            }
        }
        return masked
    }

    mutating func scrub(_ scrubber: SecretScrubber) {
        values = values.mapValues { value in value.changingTexts { scrubber.scrubbing($0) } }
    }
}

/// A coding key with any name.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension HAR {
    /// Reads custom fields from the data of a decoded archive.
    ///
    /// A decoder is not used, as it finds the type of a value only by failed attempts.
    mutating func addCustomFields(from data: Data) {
        guard data.range(of: Data("\"_".utf8)) != nil,
            let root = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
            let log = root["log"] as? [String: Any]
        else { return }
        own = CustomFields(of: log)
        for (index, page) in Self.objects(log["pages"]) where index < pages.count {
            pages[index].own = CustomFields(of: page)
        }
        for (index, entry) in Self.objects(log["entries"]) where index < entries.count {
            entries[index].addCustom(of: entry)
        }
    }

    private static func objects(_ value: Any?) -> [(Int, [String: Any])] {
        (value as? [Any] ?? []).enumerated().compactMap { index, value in (value as? [String: Any]).map { (index, $0) }
        }
    }
}

extension HAR.Entry {
    fileprivate mutating func addCustom(of object: [String: Any]) {
        // A value that is not one of ours is another program's.
        own = CustomFields(of: object, besides: source == nil ? [] : ["_source"])
        if let timings = object["timings"] as? [String: Any] { self.timings.own = CustomFields(of: timings) }
        if let request = object["request"] as? [String: Any] {
            self.request.own = CustomFields(of: request)
            if let body = request["postData"] as? [String: Any] {
                self.request.postData?.own = CustomFields(of: body, besides: ["_encoding", "_keptSize"])
            }
        }
        if let response = object["response"] as? [String: Any] {
            self.response.own = CustomFields(of: response, besides: ["_error", "_errorCode"])
            if let content = response["content"] as? [String: Any] {
                self.response.content.own = CustomFields(of: content, besides: ["_keptSize"])
            }
        }
    }
}

extension JSONValue {
    /// Creates a value from one of `JSONSerialization`.
    fileprivate init(_ value: Any) {
        if let text = value as? String {
            self = .text(ExactText(text))
        } else if let object = value as? [String: Any] {
            self = .object(object.reduce(into: [:]) { $0[ExactText($1.key)] = JSONValue($1.value) })
        } else if let list = value as? [Any] {
            self = .list(list.map { JSONValue($0) })
        } else if let bool = AnyParameter.boolean(value) {
            self = .bool(bool)
        } else if let number = value as? NSNumber {
            let type = String(cString: number.objCType)
            switch type {
            case "d", "f": self = .number(JSONNumber(number.doubleValue))
            case "Q": self = .number(JSONNumber(number.uint64Value))
            default: self = .number(JSONNumber(number.int64Value))
            }
        } else {
            self = .null
        }
    }

    /// Returns the value with secret members masked and its texts passed through a function.
    fileprivate func masking(
        isSecret: Bool,
        _ secrets: HARSecrets,
        _ found: FoundSecrets?,
        _ text: (String) -> String
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
        case .list(let list): return .list(list.map { $0.masking(isSecret: false, secrets, found, text) })
        case .object(let object):
            return .object(
                object.reduce(into: [:]) {
                    $0[$1.key] = $1.value.masking(isSecret: secrets.hides($1.key.string), secrets, found, text)
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
