import HTTPTypes

/// A decoded line of a header section (RFC 9113, section 8.2).
///
/// An invalid line is decoded, too: it is an entry of the compression table, and only its response is malformed.
enum HTTP2FieldLine: Equatable, Sendable {
    case field(HTTPField)
    case pseudo(name: String, value: String)
    /// The name is not a token in lower case.
    case invalidName(String)
    /// The field is specific to connections of HTTP/1.1 (RFC 9113, section 8.2.2).
    case connectionField(HTTPField.Name)
    /// The value has a line break or a NUL, or begins or ends with a space or a tab (RFC 9113, section 8.2.1).
    case invalidValue(HTTPField.Name)
}

extension HTTP2FieldLine {
    /// The name of a line.
    enum Name: Sendable {
        case field(HTTPField.Name)
        case pseudo(String)
        case connectionField(HTTPField.Name)
        case invalid(String)

        /// Checks a name.
        init(_ bytes: UnsafeRawBufferPointer) {
            if let known = KnownFieldNames.name(bytes), known.rawName == known.canonicalName {
                self.init(known)
                return
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if bytes.first == UInt8(ascii: ":") {
                self = .pseudo(text)
            } else if !bytes.contains(where: { (0x41...0x5A).contains($0) || $0 >= 0x80 }),
                let name = HTTPField.Name(text)
            {
                self.init(name)
            } else {
                self = .invalid(text)
            }
        }

        private init(_ name: HTTPField.Name) {
            self = Self.connectionFields.contains(name.canonicalName) ? .connectionField(name) : .field(name)
        }

        private static let connectionFields: Set<String> = [
            "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade",
        ]
    }

    /// The name, for another line with the same name.
    var name: Name {
        switch self {
        case .field(let field): .field(field.name)
        case .pseudo(let name, _): .pseudo(name)
        case .invalidName(let name): .invalid(name)
        case .connectionField(let name): .connectionField(name)
        case .invalidValue(let name): .field(name)
        }
    }

    init(_ name: Name, _ value: UnsafeRawBufferPointer) {
        switch name {
        case .field(let name):
            if value.first?.isFieldSpace == true || value.last?.isFieldSpace == true {
                self = .invalidValue(name)
            } else if !value.contains(where: \.isControlCharacter) {
                self = .field(HTTPField(name: name, value: value))
            } else if value.contains(where: \.isForbiddenInFields) {
                self = .invalidValue(name)
            } else {
                self = .field(HTTPField(name: name, valueWithControlCharacters: value))
            }
        case .pseudo(let name): self = .pseudo(name: name, value: String(decoding: value, as: UTF8.self))
        case .connectionField(let name): self = .connectionField(name)
        case .invalid(let name): self = .invalidName(name)
        }
    }
}
