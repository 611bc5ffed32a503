import Foundation

/// The values in the lines of a response: JSON Lines, which is also known as NDJSON, or lines in the format of another decoder.
///
///     for try await row in try await provider.stream(.export).lines.decoded(as: Row.self) { print(row) }
///
/// Empty lines are skipped, and so is the record separator before each value of a JSON text sequence (RFC 7464).
public struct DecodedLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    private let lines: StreamingLines?
    private let decoder: any ResponseDecoder & Sendable
    /// The values that the sequence returns before those of the lines.
    private let beginning: [Value]

    /// Creates a sequence that returns the given values and ends, for mocks and tests.
    ///
    /// Each loop over it gets all values.
    public init(_ values: [Value]) {
        self.init(lines: nil, decoder: JSONDecoder(), beginning: values)
    }

    fileprivate init(
        lines: StreamingLines?,
        decoder: any ResponseDecoder & Sendable,
        beginning: [Value] = []
    ) {
        self.lines = lines
        self.decoder = decoder
        self.beginning = beginning
    }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        /// The iterator over the lines; `nil` after the end, so that the connection is closed.
        fileprivate var lines: StreamingLines.Iterator?
        fileprivate let decoder: any ResponseDecoder & Sendable
        fileprivate var ready: ArraySlice<Value>

        /// Returns the value of the next line; `nil` at the end.
        ///
        /// - Throws: The errors of ``StreamingLines/Iterator/next()``; ``MoyaError/objectMapping(_:_:)`` for a line that does not decode,
        ///   which ends the sequence.
        public mutating func next() async throws(MoyaError) -> Value? {
            if let value = ready.popFirst() { return value }
            do throws(MoyaError) {
                while let response = lines?.chunks.response, let line = try await lines?.next() {
                    guard let data = Self.data(of: line) else { continue }
                    return try Response(response, data: data).output(using: decoder)
                }
                lines = nil
                return nil
            } catch {
                lines = nil
                throw error
            }
        }

        /// Returns the bytes of the value in a line; `nil` for a line without a value.
        private static func data(of line: String) -> Data? {
            let separators: Set<Unicode.Scalar> = [" ", "\t", "\u{1E}"]
            guard line.unicodeScalars.contains(where: { !separators.contains($0) }) else { return nil }
            return Data(line.utf8.drop { $0 == 0x1E })
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(lines: lines?.makeAsyncIterator(), decoder: decoder, ready: beginning[...])
    }
}

extension StreamingLines {
    /// Returns the values in the lines.
    ///
    /// - Parameters:
    ///   - type: The type of the values, which can be inferred.
    ///   - decoder: Decodes each line.
    /// - Returns: The values.
    public func decoded<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        using decoder: any ResponseDecoder & Sendable = JSONDecoder()
    ) -> DecodedLines<Value> {
        DecodedLines(lines: self, decoder: decoder)
    }
}
