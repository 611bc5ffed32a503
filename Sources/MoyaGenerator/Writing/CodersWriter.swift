/// Writes the encoder and the decoder of an API, if its models need them.
struct CodersWriter {
    let model: APIModel
    let hasDates: Bool

    var name: String { model.configuration.naming.value(Words(of: model.name)) }
    private var modifier: String { model.configuration.access.modifier }

    /// The arguments of `@API`.
    var arguments: [String] { hasDates ? ["encoder: .\(name)", "decoder: JSONDecoder.\(name)"] : [] }

    /// The expression of the decoder of responses.
    var decoder: String { hasDates ? "JSONDecoder.\(name)" : "JSONDecoder()" }

    /// The expression of the encoder of bodies.
    var encoder: String { hasDates ? "JSONEncoder.\(name)" : "JSONEncoder()" }

    var files: [GeneratedFile] {
        guard hasDates else { return [] }
        let text = """
            import Foundation

            extension JSONEncoder {
                /// Encodes bodies for \(model.name).
                \(modifier)static let \(name): JSONEncoder = {
                    let encoder = JSONEncoder()
                    encoder.dateEncodingStrategy = .custom { date, encoder in
                        var container = encoder.singleValueContainer()
                        try container.encode(DateText.write(date))
                    }
                    return encoder
                }()
            }

            extension JSONDecoder {
                /// Decodes responses of \(model.name).
                \(modifier)static let \(name): JSONDecoder = {
                    let decoder = JSONDecoder()
                    decoder.dateDecodingStrategy = .custom { decoder in
                        let container = try decoder.singleValueContainer()
                        let text = try container.decode(String.self)
                        guard let date = DateText.read(text) else {
                            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a date: \\(text)")
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
            """
        return [GeneratedFile(path: "Support/Coders.swift", text: text + "\n")]
    }
}
