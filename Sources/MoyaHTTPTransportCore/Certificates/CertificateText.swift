import Foundation

/// The subject, the issuer and the period of validity of a certificate, for texts.
///
/// These fields do not decide about trust, so the parser omits a field in an unusual form and still reads the certificate.
struct CertificateText: Hashable {
    // The texts are created when they are read, because most connections do not need them.
    private let subjectName: Data
    private let issuerName: Data
    /// Whether the subject and the issuer have the same name (RFC 5280, section 3.2).
    let isSelfIssued: Bool
    let notBefore: Date?
    let notAfter: Date?

    init(subject: DERReader.Element, issuer: DERReader.Element, validity: DERReader.Element) {
        subjectName = subject.content
        issuerName = issuer.content
        isSelfIssued = subject.encoding == issuer.encoding
        var dates = DERReader(validity.content)
        notBefore = (try? dates.next()).flatMap(Self.date)
        notAfter = (try? dates.next()).flatMap(Self.date)
    }

    // MARK: Names (RFC 5280, section 4.1.2.4)

    /// The subject's distinguished name, such as `CN=api.example.com, O=Example`.
    var subject: String { Self.text(ofName: subjectName) }

    /// The issuer's distinguished name.
    var issuer: String { Self.text(ofName: issuerName) }

    /// The attributes that a text includes, with their object identifiers (RFC 4519, section 2).
    private static let attributes: [(identifier: [UInt8], text: String)] = [
        ([0x55, 0x04, 0x03], "CN"), ([0x55, 0x04, 0x0A], "O"), ([0x55, 0x04, 0x0B], "OU"), ([0x55, 0x04, 0x07], "L"),
        ([0x55, 0x04, 0x08], "ST"), ([0x55, 0x04, 0x06], "C"),
    ]

    /// The maximum length of a value; a server can present names of any length.
    private static let longestValue = 100

    /// Returns a name's attributes, the most specific first.
    private static func text(ofName content: Data) -> String {
        var sets = DERReader(content)
        var texts: [String] = []
        while let set = try? sets.next() {
            var parts = DERReader(set.content)
            while let part = try? parts.next() {
                var pair = DERReader(part.content)
                guard let identifier = try? pair.next(DERReader.Tag.objectIdentifier).content,
                    let value = try? pair.next(),
                    let attribute = attributes.first(where: { identifier.elementsEqual($0.identifier) })
                else { continue }
                texts.append("\(attribute.text)=\(text(value))")
            }
        }
        return texts.reversed().joined(separator: ", ")
    }

    /// Returns the text of a string, without characters that could change the appearance of an error or a log.
    private static func text(_ value: DERReader.Element) -> String {
        let text =
            value.tag == DERReader.Tag.bmpString
            ? String(decoding: value.content.pairs, as: UTF16.self)
            : String(decoding: value.content, as: UTF8.self)
        let visible = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(visible)).prefix(longestValue))
    }

    // MARK: Dates (RFC 5280, section 4.1.2.5)

    private static func date(_ element: DERReader.Element) -> Date? {
        var digits = element.content
        guard digits.popLast() == UInt8(ascii: "Z"), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let numbers = digits.map { Int64($0 - 0x30) }
        switch (element.tag, numbers.count) {
        case (DERReader.Tag.utcTime, 12):
            let year = numbers[0] * 10 + numbers[1]
            return date(year: year < 50 ? 2000 + year : 1900 + year, numbers.dropFirst(2))
        case (DERReader.Tag.generalizedTime, 14):
            return date(year: numbers[0..<4].reduce(0) { $0 * 10 + $1 }, numbers.dropFirst(4))
        default:
            return nil
        }
    }

    /// Returns a date; `rest` has two digits for each of month, day, hour, minute and second.
    private static func date(year: Int64, _ rest: ArraySlice<Int64>) -> Date? {
        let rest = Array(rest)
        let parts = stride(from: 0, to: rest.count, by: 2).map { rest[$0] * 10 + rest[$0 + 1] }
        guard (1...12).contains(parts[0]), (1...CivilDate.length(ofMonth: parts[0], inYear: year)).contains(parts[1]),
            parts[2] < 24, parts[3] < 60, parts[4] < 60
        else { return nil }
        let seconds = CivilDate.seconds(year: year, month: parts[0], day: parts[1], time: Array(parts[2...]))
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}

extension Data {
    /// The bytes as big-endian numbers of two bytes.
    fileprivate var pairs: [UInt16] {
        let bytes = Array(self)
        return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }
}
