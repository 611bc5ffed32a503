import Foundation
import MoyaHTTP
import MoyaJSON

/// Recorded HTTP traffic: the content of a HAR 1.2 file.
///
/// Browsers, proxies and this library write such files; ``HARRecorder`` records the traffic of a session, and
/// ``HARStubs`` responds from a recording.
///
///     let har = try HAR(contentsOf: file)
///     for entry in har.entries { print(entry.request.method, entry.request.url, entry.response.status) }
///
/// Decoding is lenient, because programs differ: optional parts may be missing, a number may be written as text, and a text
/// as a number. Custom fields of other programs are kept and masked. A file that is read, written and read again gives an
/// equal archive. The format is specified at <http://www.softwareishard.com/blog/har-12-spec/>.
public struct HAR: Hashable, Sendable {
    /// The version of the format that this library writes.
    public static let currentVersion = "1.2"

    /// The version of the file's format.
    public var version = HAR.currentVersion
    /// The program that wrote the file.
    public var creator: Tool
    /// The browser whose traffic was recorded.
    public var browser: Tool?
    /// The pages, which group exchanges.
    public var pages: [Page]
    /// The exchanges in the order in which they began.
    public var entries: [Entry]
    /// A comment.
    public var comment: String?
    /// Custom fields of other programs.
    var customFields = CustomFields()

    /// Creates an archive with these exchanges.
    public init(entries: [Entry] = [], creator: Tool = .moya) {
        self.entries = entries
        self.creator = creator
        pages = []
    }

    /// A program and its version.
    public struct Tool: Hashable, Sendable {
        /// This library.
        public static let moya = Tool(name: "Moya", version: LibraryVersion.current)

        /// The program's name.
        public var name: String
        /// The program's version.
        public var version: String
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a program's name and version.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }
}

extension HAR: Codable {
    private enum Root: String, CodingKey {
        case log
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case version, creator, browser, pages, entries, comment
    }

    /// Decodes an archive, without custom fields.
    ///
    /// ``init(data:limits:)`` also checks the input, reports precise errors, and keeps custom fields.
    public init(from decoder: any Decoder) throws {
        let log = try decoder.container(keyedBy: Root.self).nestedContainer(keyedBy: CodingKeys.self, forKey: .log)
        version = try log.text(.version) ?? "1.1"
        creator = try log.value(.creator, or: Tool(name: "", version: ""))
        browser = try log.decodeIfPresent(Tool.self, forKey: .browser)
        pages = try log.list(.pages)
        entries = try log.decode([Entry].self, forKey: .entries)
        comment = log.textIfPossible(.comment)
    }

    /// Encodes the archive.
    public func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Root.self)
        var log = root.nestedContainer(keyedBy: CodingKeys.self, forKey: .log)
        try log.encode(version, forKey: .version)
        try log.encode(creator, forKey: .creator)
        try log.encodeIfPresent(browser, forKey: .browser)
        try log.encode(pages, forKey: .pages)
        try log.encode(entries, forKey: .entries)
        try log.encodeIfPresent(comment, forKey: .comment)
        var others = root.nestedContainer(keyedBy: NameKey.self, forKey: .log)
        try customFields.encode(to: &others)
    }
}

extension HAR.Tool: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, version, comment
    }

    /// Decodes a program's name and version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.text(.name) ?? ""
        version = try container.text(.version) ?? ""
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the program's name and version.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(version, forKey: .version)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}
