import Foundation

@testable import MoyaHTTP

/// The outputs of an event stream.
struct ParsedStream: CustomStringConvertible {
    var outputs: [EventStreamParser.Output] = []
    var lastEventID = ""
    var error: StreamLimitError?

    init() {}

    /// Pushes the chunks one after the other and pulls after each.
    init(_ chunks: [Data], lineLimit: Int = 1_000, eventLimit: Int = 1_000) {
        var parser = EventStreamParser(maximumLineLength: lineLimit, maximumEventSize: eventLimit)
        do {
            for chunk in chunks {
                parser.push(chunk)
                while let output = try parser.next() { outputs.append(output) }
            }
        } catch {
            self.error = error
        }
        lastEventID = parser.lastEventID
    }

    var description: String {
        "\(outputs), last ID \(lastEventID.debugDescription), \(error.map { "\($0)" } ?? "no error")"
    }
}

extension ParsedStream: Equatable {
    /// Compares the bytes, because strings with different compositions are equal.
    static func == (lhs: ParsedStream, rhs: ParsedStream) -> Bool {
        lhs.description.utf8.elementsEqual(rhs.description.utf8)
    }
}
