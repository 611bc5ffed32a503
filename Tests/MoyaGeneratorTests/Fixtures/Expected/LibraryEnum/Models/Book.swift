import Foundation

/// A book of the library.
///
/// It has copies.
public struct Book: Codable, Hashable, Sendable {
    /// The value of `id`.
    public var id: Int
    /// The value of `title`.
    public var title: String
    /// The value of `url`.
    public var url: URL
    /// The value of `created_at`.
    public var createdAt: Date
    /// The day of publication; unknown for old books.
    public var publishedOn: CalendarDate?
    /// The value of `format`.
    public var format: Format
    /// The value of `subjects`.
    public var subjects: [String]
    /// The number of the book.
    public var isbn: String?
    /// The value of `cover`.
    public var cover: Image?
    /// The value of `similar`.
    @Indirect public var similar: Book?
    /// Deprecated.
    public var `class`: String?
    /// The value of `self`.
    public var itself: String?

    /// Creates a value.
    public init(
        id: Int,
        title: String,
        url: URL,
        createdAt: Date,
        publishedOn: CalendarDate? = nil,
        format: Format,
        subjects: [String],
        isbn: String? = nil,
        cover: Image? = nil,
        similar: Book? = nil,
        `class`: String? = nil,
        itself: String? = nil
    ) {
        self.id = id
        self.title = title
        self.url = url
        self.createdAt = createdAt
        self.publishedOn = publishedOn
        self.format = format
        self.subjects = subjects
        self.isbn = isbn
        self.cover = cover
        self.similar = similar
        self.class = `class`
        self.itself = itself
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, url, createdAt = "created_at", publishedOn = "published_on", format, subjects, isbn, cover
        case similar, `class`, itself = "self"
    }

    /// The values of `format`.
    public struct Format: RawRepresentable, Codable, Hashable, Sendable {
        /// The value `print`.
        public static let print = Self(rawValue: "print")
        /// The value `e-book`.
        public static let eBook = Self(rawValue: "e-book")
        /// The value `audio_book`.
        public static let audioBook = Self(rawValue: "audio_book")
        /// The empty text.
        public static let empty = Self(rawValue: "")

        /// The value as it is sent.
        public var rawValue: String

        /// Creates a value, which the document need not list.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
