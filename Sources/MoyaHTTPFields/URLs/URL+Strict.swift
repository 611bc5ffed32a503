import Foundation

extension URL {
    /// Creates a URL from text that is already escaped; `nil` for invalid characters, which Foundation would escape.
    package init?(strictly text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            // Older systems have no other initializer.
            self.init(string: text)
        }
    }
}
