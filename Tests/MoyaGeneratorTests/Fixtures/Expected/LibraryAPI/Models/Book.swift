import Foundation

/// A book of the library.
///
/// It has copies.
struct Book: Codable, Hashable, Sendable {
    var id: Int
    var title: String
    var url: URL
    var createdAt: Date
    /// The day of publication; unknown for old books.
    var publishedOn: CalendarDate?
    var format: Format
    var subjects: [String]
    /// The number of the book.
    var number: String?
    var cover: Image?
    @Indirect var similar: Book?
    /// Deprecated.
    var `class`: String?
    var itself: String?

    private enum CodingKeys: String, CodingKey {
        case id, title, url, createdAt = "created_at", publishedOn = "published_on", format, subjects, number = "isbn"
        case cover, similar, `class`, itself = "self"
    }

    struct Format: RawRepresentable, Codable, Hashable, Sendable {
        static let print = Self(rawValue: "print")
        static let eBook = Self(rawValue: "e-book")
        static let audioBook = Self(rawValue: "audio_book")
        static let empty = Self(rawValue: "")

        var rawValue: String
    }
}
