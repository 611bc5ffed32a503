import Foundation

/// The URLs of recent endpoints, so that the same text is not parsed for each request.
///
/// Each text has one of a fixed number of places, which keeps the last URL. So the memory is limited, and concurrent requests seldom
/// wait for each other.
struct ParsedURLs: Sendable {
    static let recent = ParsedURLs(count: 64)

    private let places: [Locked<URL?>]

    /// Creates places without URLs.
    init(count: Int) { places = (0..<count).map { _ in Locked(nil) } }

    /// Returns the URL of a text that is already escaped; `nil` for invalid characters.
    func url(_ text: String) -> URL? {
        let place = place(of: text)
        // The text of a parsed URL is ASCII, and another text that is equal to it in Unicode has more bytes.
        if let known = place.withLock({ $0 }) {
            let knownText = known.absoluteString
            if knownText.utf8.count == text.utf8.count, knownText == text { return known }
        }
        guard let url = URL(strictly: text) else { return nil }
        // The earlier URL is released outside of the lock.
        var replaced: URL? = url
        place.withLock { swap(&$0, &replaced) }
        return url
    }

    private func place(of text: String) -> Locked<URL?> {
        var text = text
        return text.withUTF8 { bytes in
            var hash: UInt = 0
            for byte in bytes { hash = hash &* 31 &+ UInt(byte) }
            return places[Int(hash % UInt(places.count))]
        }
    }
}
