import HTTPTypes

/// The fields of a response: the received bytes until somebody reads the fields, or fields that exist.
package struct ResponseFields: Equatable, Sendable {
    private enum Storage: Sendable {
        case lines(FieldLines)
        case fields(HTTPFields)
    }

    private let storage: Storage
    /// The names in the fields about which stages ask.
    private let names: ScannedFieldNames

    /// Creates the fields of a response that was not received over HTTP/1.1, or whose headers were changed.
    package init(_ fields: HTTPFields) {
        storage = .fields(fields)
        names = fields.reduce(into: []) { $0.formUnion(ScannedFieldNames(of: $1.name)) }
    }

    /// Scans the field lines of an HTTP/1.1 head up to its empty line, and copies them; `nil` if the empty line is missing, or if a
    /// line has a form that needs a decision.
    ///
    /// These forms are a name that is not a token, a control character in the value, LF without CR, and a continuation.
    ///
    /// - Parameters:
    ///   - bytes: Received bytes.
    ///   - position: The position of the first line; after a scan, the position after the empty line.
    ///   - maximumCount: The maximum number of lines.
    ///   - reported: The names of fields whose values are reported.
    ///   - report: Called with a field's name and value.
    package init?(
        scanning bytes: UnsafeRawBufferPointer,
        from position: inout Int,
        maximumCount: Int,
        reporting reported: ScannedFieldNames = [],
        to report: (ScannedFieldNames, UnsafeRawBufferPointer) -> Void = { _, _ in }
    ) {
        guard
            let lines = FieldLines(
                scanning: bytes,
                from: &position,
                maximumCount: maximumCount,
                reporting: reported,
                to: report
            )
        else { return nil }
        storage = .lines(lines)
        names = lines.names
    }

    /// The fields, which are created from the received bytes when they are first read.
    package var fields: HTTPFields {
        switch storage {
        case .lines(let lines): lines.fields
        case .fields(let fields): fields
        }
    }

    /// Returns whether there is a field with one of the names, without creating the fields.
    package func contains(_ names: ScannedFieldNames) -> Bool { !self.names.isDisjoint(with: names) }

    /// The number of bytes that are kept until the fields are read; `nil` if the fields exist.
    package var byteCount: Int? {
        switch storage {
        case .lines(let lines): lines.byteCount
        case .fields: nil
        }
    }

    /// Returns whether the fields are equal.
    package static func == (one: ResponseFields, other: ResponseFields) -> Bool { one.fields == other.fields }
}
