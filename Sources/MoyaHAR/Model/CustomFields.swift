import Foundation
import MoyaHTTP

/// Members of other programs: custom fields, whose names begin with an underscore (HAR 1.2, "Custom fields"), and others
/// that the format does not have.
///
/// They are kept unchanged, so that they are written again.
struct CustomFields: Hashable, Sendable {
    private var values: [String: JSONValue] = [:]

    init() {}

    /// Takes the members of an object, except known ones.
    init<Known: CodingKey & CaseIterable>(_ object: [ExactText: JSONValue], besides known: Known.Type) {
        let names = Set(known.allCases.map(\.stringValue))
        for (name, value) in object where !names.contains(name.string) { values[name.string] = value }
    }

    func contains(_ name: String) -> Bool { values[name] != nil }

    func value(_ name: String) -> JSONValue? { values[name] }

    /// Adds a known member, if its value is one of another program.
    mutating func add(_ key: some CodingKey, of object: [ExactText: JSONValue], if isOther: Bool) {
        guard isOther, let value = object[ExactText(key.stringValue)], value != .null else { return }
        values[key.stringValue] = value
    }

    mutating func remove(_ name: String) { values[name] = nil }

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
            let isSecret = secrets.isSecret(field.key.hasPrefix("_") ? String(field.key.dropFirst()) : field.key)
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

extension HAR {
    /// Reads the members of other programs from the data of a decoded archive.
    ///
    /// A decoder is not used, as it finds the type of a value only by failed attempts, and rounds numbers.
    mutating func addCustomFields(from data: Data) {
        guard
            let log = JSONReader.lenientValue(of: data, maximumDepth: HARLimits.maximumDepth)?.members?["log"]?.members
        else { return }
        own = CustomFields(log, besides: CodingKeys.self)
        creator.own = CustomFields(log["creator"]?.members ?? [:], besides: Tool.CodingKeys.self)
        browser?.own = CustomFields(log["browser"]?.members ?? [:], besides: Tool.CodingKeys.self)
        Self.add(from: log["pages"], to: &pages) { $0.addCustom(of: $1) }
        Self.add(from: log["entries"], to: &entries) { $0.addCustom(of: $1) }
    }

    /// Passes each element and its object to a function; an object in place of a list is its only element.
    fileprivate static func add<Element>(
        from list: JSONValue?,
        to elements: inout [Element],
        _ add: (inout Element, [ExactText: JSONValue]) -> Void
    ) {
        let objects: [JSONValue]
        switch list {
        case .list(let list): objects = list
        case .object: objects = list.map { [$0] } ?? []
        default: return
        }
        for (index, object) in objects.enumerated() where index < elements.count {
            if let members = object.members { add(&elements[index], members) }
        }
    }
}

extension HAR.Page {
    fileprivate mutating func addCustom(of object: [ExactText: JSONValue]) {
        own = CustomFields(object, besides: CodingKeys.self)
        pageTimings.own = CustomFields(object["pageTimings"]?.members ?? [:], besides: Timings.CodingKeys.self)
    }
}

extension HAR.Entry {
    fileprivate mutating func addCustom(of object: [ExactText: JSONValue]) {
        own = CustomFields(object, besides: CodingKeys.self)
        own.add(CodingKeys.source, of: object, if: source == nil)
        own.add(CodingKeys.cache, of: object, if: object["cache"] != .object([:]))
        timings.own = CustomFields(object["timings"]?.members ?? [:], besides: HAR.Timings.CodingKeys.self)
        if let members = object["request"]?.members { request.addCustom(of: members) }
        if let members = object["response"]?.members { response.addCustom(of: members) }
    }
}

extension HAR.Request {
    fileprivate mutating func addCustom(of object: [ExactText: JSONValue]) {
        own = CustomFields(object, besides: CodingKeys.self)
        HAR.add(from: object["headers"], to: &headers) { $0.addCustom(of: $1) }
        HAR.add(from: object["queryString"], to: &queryString) { $0.addCustom(of: $1) }
        HAR.add(from: object["cookies"], to: &cookies) {
            $0.own = CustomFields($1, besides: HAR.Cookie.CodingKeys.self)
        }
        guard let members = object["postData"]?.members, var body = postData else { return }
        body.own = CustomFields(members, besides: HAR.PostData.CodingKeys.self)
        body.own.add(HAR.PostData.CodingKeys.keptSize, of: members, if: body.keptSize == nil)
        body.own.add(HAR.PostData.CodingKeys.encoding, of: members, if: body.encoding == nil)
        // Proxies write the encoding without the underscore.
        body.own.remove("encoding")
        HAR.add(from: members["params"], to: &body.params) {
            $0.own = CustomFields($1, besides: HAR.Parameter.CodingKeys.self)
        }
        postData = body
    }
}

extension HAR.Response {
    fileprivate mutating func addCustom(of object: [ExactText: JSONValue]) {
        own = CustomFields(object, besides: CodingKeys.self)
        own.add(CodingKeys.error, of: object, if: error == nil)
        own.add(CodingKeys.errorCode, of: object, if: errorCode == nil)
        HAR.add(from: object["headers"], to: &headers) { $0.addCustom(of: $1) }
        HAR.add(from: object["cookies"], to: &cookies) {
            $0.own = CustomFields($1, besides: HAR.Cookie.CodingKeys.self)
        }
        guard let members = object["content"]?.members else { return }
        content.own = CustomFields(members, besides: HAR.Content.CodingKeys.self)
        content.own.add(HAR.Content.CodingKeys.keptSize, of: members, if: content.keptSize == nil)
    }
}

extension HAR.Field {
    fileprivate mutating func addCustom(of object: [ExactText: JSONValue]) {
        own = CustomFields(object, besides: CodingKeys.self)
        own.add(CodingKeys.encoding, of: object, if: encoding == nil)
    }
}

extension JSONValue {
    /// The members of an object; `nil` for other values.
    fileprivate var members: [ExactText: JSONValue]? { if case .object(let members) = self { members } else { nil } }

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
                    $0[$1.key] = $1.value.masking(isSecret: secrets.isSecret($1.key.string), secrets, found, text)
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
