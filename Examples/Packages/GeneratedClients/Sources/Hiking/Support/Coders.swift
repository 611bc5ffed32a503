import Foundation

extension JSONEncoder {
    /// Encodes bodies for Trails.
    static let trails: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(DateText.write(date))
        }
        return encoder
    }()
}

extension JSONDecoder {
    /// Decodes responses of Trails.
    static let trails: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = DateText.read(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a date: \(text)")
            }
            return date
        }
        return decoder
    }()
}

/// Reads and writes dates (RFC 3339), with and without fractions of seconds.
private enum DateText {
    static func read(_ text: String) -> Date? {
        let isFractional = text.contains(".")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: isFractional)
        // Servers leave out the time zone, which is UTC then.
        return (try? style.parse(text)) ?? (try? style.parse(text + "Z"))
    }

    static func write(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let isFractional = milliseconds.truncatingRemainder(dividingBy: 1000) != 0
        // The format cuts off what is below a millisecond, so that half of one rounds the date.
        return date.addingTimeInterval(0.0005)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: isFractional))
    }
}
