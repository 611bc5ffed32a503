import Foundation
import MoyaHTTP
import MoyaJSON

/// The members that other programs added to an object: custom fields, whose names begin with an underscore (HAR 1.2, "Custom fields"),
/// and any other members that the format does not define.
///
/// A file that is read and written keeps them.
struct CustomFields: Hashable, Sendable {
    /// The values by name.
    var values: [String: JSONValue] = [:]

    init() {}

    /// Creates the fields from the members of an object, except known ones.
    init<Known: CodingKey & CaseIterable>(_ object: [ExactText: JSONValue], besides known: Known.Type) {
        let names = Set(known.allCases.map(\.stringValue))
        for (name, value) in object where !names.contains(name.string) { values[name.string] = value }
    }

    func contains(_ name: String) -> Bool { values[name] != nil }

    func value(_ name: String) -> JSONValue? { values[name] }

    /// Adds a member with a known name if another program uses the name with a different meaning.
    mutating func add(_ key: some CodingKey, of object: [ExactText: JSONValue], if isOther: Bool) {
        guard isOther, let value = object[ExactText(key.stringValue)], value != .null else { return }
        values[key.stringValue] = value
    }

    mutating func remove(_ name: String) { values[name] = nil }

    func encode(to encoder: any Encoder) throws {
        guard !values.isEmpty else { return }
        var container = encoder.container(keyedBy: NameKey.self)
        try encode(to: &container)
    }

    func encode(to container: inout KeyedEncodingContainer<NameKey>) throws {
        for (name, value) in values { try container.encode(value, forKey: NameKey(stringValue: name)) }
    }
}

extension HAR {
    /// Reads the custom fields from the data of a decoded archive.
    ///
    /// The function parses the data itself, because a decoder finds the type of a value only by failed attempts, and rounds numbers.
    mutating func addCustomFields(from data: Data) {
        guard
            let log = JSONValueParser.parseLeniently(data, maximumDepth: HARLimits.maximumDepth)?.members?["log"]?
                .members
        else { return }
        customFields = CustomFields(log, besides: CodingKeys.self)
        creator.customFields = CustomFields(log["creator"]?.members ?? [:], besides: Tool.CodingKeys.self)
        browser?.customFields = CustomFields(log["browser"]?.members ?? [:], besides: Tool.CodingKeys.self)
        Self.addFields(from: log["pages"], to: &pages) { $0.addCustomFields(of: $1) }
        Self.addFields(from: log["entries"], to: &entries) { $0.addCustomFields(of: $1) }
    }

    /// Passes each element and its object to a function; an object in place of a list counts as a list of one element.
    fileprivate static func addFields<Element>(
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
    fileprivate mutating func addCustomFields(of object: [ExactText: JSONValue]) {
        customFields = CustomFields(object, besides: CodingKeys.self)
        pageTimings.customFields = CustomFields(object["pageTimings"]?.members ?? [:], besides: Timings.CodingKeys.self)
    }
}

extension HAR.Entry {
    fileprivate mutating func addCustomFields(of object: [ExactText: JSONValue]) {
        customFields = CustomFields(object, besides: CodingKeys.self)
        customFields.add(CodingKeys.source, of: object, if: source == nil)
        customFields.add(CodingKeys.webSocketMessages, of: object, if: webSocketMessages.isEmpty)
        customFields.add(CodingKeys.cache, of: object, if: object["cache"] != .object([:]))
        timings.customFields = CustomFields(object["timings"]?.members ?? [:], besides: HAR.Timings.CodingKeys.self)
        if let members = object["request"]?.members { request.addCustomFields(of: members) }
        if let members = object["response"]?.members { response.addCustomFields(of: members) }
    }
}

extension HAR.Request {
    fileprivate mutating func addCustomFields(of object: [ExactText: JSONValue]) {
        customFields = CustomFields(object, besides: CodingKeys.self)
        HAR.addFields(from: object["headers"], to: &headers) { $0.addCustomFields(of: $1) }
        HAR.addFields(from: object["queryString"], to: &queryString) { $0.addCustomFields(of: $1) }
        HAR.addFields(from: object["cookies"], to: &cookies) {
            $0.customFields = CustomFields($1, besides: HAR.Cookie.CodingKeys.self)
        }
        guard let members = object["postData"]?.members, var body = postData else { return }
        body.customFields = CustomFields(members, besides: HAR.PostData.CodingKeys.self)
        body.customFields.add(HAR.PostData.CodingKeys.keptSize, of: members, if: body.keptSize == nil)
        body.customFields.add(HAR.PostData.CodingKeys.encoding, of: members, if: body.encoding == nil)
        // Proxies write `encoding` without the underscore; the body has read it.
        body.customFields.remove("encoding")
        HAR.addFields(from: members["params"], to: &body.params) {
            $0.customFields = CustomFields($1, besides: HAR.Parameter.CodingKeys.self)
        }
        postData = body
    }
}

extension HAR.Response {
    fileprivate mutating func addCustomFields(of object: [ExactText: JSONValue]) {
        customFields = CustomFields(object, besides: CodingKeys.self)
        customFields.add(CodingKeys.error, of: object, if: error == nil)
        customFields.add(CodingKeys.errorCode, of: object, if: errorCode == nil)
        HAR.addFields(from: object["headers"], to: &headers) { $0.addCustomFields(of: $1) }
        HAR.addFields(from: object["cookies"], to: &cookies) {
            $0.customFields = CustomFields($1, besides: HAR.Cookie.CodingKeys.self)
        }
        guard let members = object["content"]?.members else { return }
        content.customFields = CustomFields(members, besides: HAR.Content.CodingKeys.self)
        content.customFields.add(HAR.Content.CodingKeys.keptSize, of: members, if: content.keptSize == nil)
    }
}

extension HAR.Field {
    fileprivate mutating func addCustomFields(of object: [ExactText: JSONValue]) {
        customFields = CustomFields(object, besides: CodingKeys.self)
        customFields.add(CodingKeys.encoding, of: object, if: encoding == nil)
    }
}

extension JSONValue {
    /// The members of an object; `nil` for other values.
    fileprivate var members: [ExactText: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}
