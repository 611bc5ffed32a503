import Foundation

extension HAR {
    /// A page that exchanges belong to, in a browser's file.
    public struct Page: Hashable, Sendable {
        /// When it began to load.
        public var startedDateTime: Date
        /// What entries name it by.
        public var id: String
        /// Its title.
        public var title: String
        /// When it was ready.
        public var pageTimings: Timings
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes a page.
        public init(startedDateTime: Date, id: String, title: String, pageTimings: Timings = Timings()) {
            self.startedDateTime = startedDateTime
            self.id = id
            self.title = title
            self.pageTimings = pageTimings
        }

        /// When a page was ready, in milliseconds from its start.
        public struct Timings: Hashable, Sendable {
            /// When its content was there; `nil` or -1 if that is not known.
            public var onContentLoad: Double?
            /// When it was loaded; `nil` or -1 if that is not known.
            public var onLoad: Double?
            /// Anything.
            public var comment: String?

            /// Makes timings.
            public init(onContentLoad: Double? = nil, onLoad: Double? = nil) {
                self.onContentLoad = onContentLoad
                self.onLoad = onLoad
            }
        }
    }
}

extension HAR.Page: Codable {
    /// Reads a page.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = try container.date(.startedDateTime)
        id = try container.value(.id, or: "")
        title = try container.value(.title, or: "")
        pageTimings = try container.value(.pageTimings, or: Timings())
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Writes the page.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ISO8601Date.text(of: startedDateTime), forKey: .startedDateTime)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(pageTimings, forKey: .pageTimings)
        try container.encodeIfPresent(comment, forKey: .comment)
        try own.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case startedDateTime, id, title, pageTimings, comment
    }
}

extension HAR.Page.Timings: Codable {
    /// Reads timings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        onContentLoad = try container.number(.onContentLoad)
        onLoad = try container.number(.onLoad)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}
