import Foundation

extension HAR {
    /// A page in a browser's file, which groups exchanges.
    public struct Page: Hashable, Sendable {
        /// The start of loading.
        public var startedDateTime: Date
        /// The identifier that entries refer to.
        public var id: String
        /// The title.
        public var title: String
        /// The times at which the page was loaded.
        public var pageTimings: Timings
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a page.
        public init(startedDateTime: Date, id: String, title: String, pageTimings: Timings = Timings()) {
            self.startedDateTime = startedDateTime
            self.id = id
            self.title = title
            self.pageTimings = pageTimings
        }

        /// The times at which a page was loaded, in milliseconds from its start.
        public struct Timings: Hashable, Sendable {
            /// The time at which the page's content was loaded; `nil` or -1 if unknown.
            public var onContentLoad: Double?
            /// The time at which the page was loaded completely; `nil` or -1 if unknown.
            public var onLoad: Double?
            /// A comment.
            public var comment: String?
            /// Custom fields of other programs.
            var customFields = CustomFields()

            /// Creates timings.
            public init(onContentLoad: Double? = nil, onLoad: Double? = nil) {
                self.onContentLoad = onContentLoad
                self.onLoad = onLoad
            }
        }
    }
}

extension HAR.Page: Codable {
    /// Decodes a page.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = try container.date(.startedDateTime)
        id = try container.text(.id) ?? ""
        title = try container.text(.title) ?? ""
        pageTimings = try container.value(.pageTimings, or: Timings())
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the page.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ISO8601Date.text(of: startedDateTime), forKey: .startedDateTime)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(pageTimings, forKey: .pageTimings)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case startedDateTime, id, title, pageTimings, comment
    }
}

extension HAR.Page.Timings: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case onContentLoad, onLoad, comment
    }

    /// Decodes timings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        onContentLoad = try container.number(.onContentLoad)
        onLoad = try container.number(.onLoad)
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the timings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(onContentLoad, forKey: .onContentLoad)
        try container.encodeIfPresent(onLoad, forKey: .onLoad)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}
