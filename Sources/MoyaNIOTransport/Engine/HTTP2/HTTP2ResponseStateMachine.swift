#if NIO && !canImport(Darwin)
import HTTPTypes

/// The state machine of the response on a stream, which checks that the response is well-formed (RFC 9113,
/// section 8).
struct HTTP2ResponseStateMachine: Sendable {
    /// The kind of a header section.
    enum Section: Equatable, Sendable {
        /// An interim response (RFC 9110, section 15.2).
        case interim(ResponseHead)
        case head(ResponseHead)
        /// The trailer fields, without those that are not allowed there.
        case trailers(HTTPFields)
    }

    private enum Phase: Sendable { case head, body, ended }

    private let isHeadRequest: Bool
    /// Whether the request asks for an upgrade to another protocol, by extended CONNECT.
    private let isUpgradeRequest: Bool
    /// Whether the server has agreed to the upgrade.
    private(set) var isUpgraded = false
    private var phase = Phase.head
    private var interimResponses = InterimResponseBudget()
    /// The number of remaining bytes of the body, if known.
    private var remaining: Int64?

    init(isHeadRequest: Bool, isUpgradeRequest: Bool = false) {
        (self.isHeadRequest, self.isUpgradeRequest) = (isHeadRequest, isUpgradeRequest)
    }

    /// Whether the response has ended.
    var hasEnded: Bool { phase == .ended }

    /// Starts another interval in which interim responses are counted: ``InterimResponseBudget/interval``.
    mutating func intervalPassed() { interimResponses.intervalPassed() }

    /// Handles a header section, and the end of the stream if the flag is set.
    mutating func receivedHeaders(
        _ lines: [HPACKFieldDecoder.Line],
        endStream: Bool
    ) throws(HTTP2Error) -> Section {
        let (status, fields) = try Self.fields(of: lines, isTrailers: phase != .head)
        switch phase {
        case .head:
            guard let status else { throw Self.malformed("It has no :status.") }
            if status < 200 {
                // RFC 9113, section 8.6: HTTP/2 does not support 101.
                guard status != 101 else {
                    throw Self.malformed("Its status is 101, which HTTP/2 does not support.")
                }
                guard !endStream else { throw Self.malformed("It ends with an interim response.") }
                // Names, values, and 32 for each field, as in SETTINGS_MAX_HEADER_LIST_SIZE.
                guard interimResponses.spend(lines.reduce(0) { $0 + $1.size }) else {
                    throw .stream(.enhanceYourCalm, "There are too many interim responses.")
                }
                return .interim(ResponseHead(status: status, headers: fields))
            }
            phase = .body
            if isUpgradeRequest, status < 300 {
                // The bytes of the other protocol follow, and have no length (RFC 9110, section 9.3.6).
                isUpgraded = true
                if endStream { try end() }
                var head = ResponseHead(status: status, headers: fields)
                head.isUpgraded = true
                return .head(head)
            }
            remaining = try Self.contentLength(of: fields)
            if isHeadRequest || status == 204 || status == 304 { remaining = 0 }
            if endStream { try end(hasBody: !isHeadRequest && status != 204 && status != 304) }
            return .head(ResponseHead(status: status, headers: fields))
        case .body where isUpgraded:
            // RFC 9113, section 8.5.
            throw .stream(.protocolError, "The server has sent a header section after an upgrade.")
        case .body:
            guard endStream else { throw Self.malformed("Its trailers do not end the stream.") }
            try end()
            return .trailers(fields.allowedInTrailers)
        case .ended:
            throw .stream(.streamClosed, "The server has sent a header section after the response's end.")
        }
    }

    /// Handles a part of the body, and the end of the stream if the flag is set.
    mutating func receivedData(count: Int, endStream: Bool) throws(HTTP2Error) {
        guard phase == .body else {
            throw phase == .ended
                ? .stream(.streamClosed, "The server has sent data after the response's end.")
                : Self.malformed("Its body comes before its header section.")
        }
        if let left = remaining {
            guard Int64(count) <= left else { throw Self.malformed("Its body is longer than declared.") }
            remaining = left - Int64(count)
        }
        if endStream { try end() }
    }

    private mutating func end(hasBody: Bool = true) throws(HTTP2Error) {
        phase = .ended
        guard !hasBody || (remaining ?? 0) == 0 else { throw Self.malformed("Its body is shorter than declared.") }
    }

    private static func malformed(_ reason: String) -> HTTP2Error {
        .stream(.protocolError, "The response is malformed. \(reason)")
    }

    // MARK: Fields

    private static func fields(
        of lines: [HPACKFieldDecoder.Line],
        isTrailers: Bool
    ) throws(HTTP2Error) -> (status: Int?, fields: HTTPFields) {
        var status: Int?
        var fields = HTTPFields()
        fields.reserveCapacity(lines.count)
        var size = 0
        for line in lines {
            size += line.size
            switch line.line {
            case .field(let field):
                fields.append(field)
            case .pseudo(let name, let value):
                guard name == ":status", status == nil, fields.isEmpty, !isTrailers, let code = Self.status(value)
                else { throw malformed("\"\(name.prefix(20))\" is not allowed there, or invalid.") }
                status = code
            case .invalidName:
                throw malformed("A field has an invalid name.")
            case .connectionField(let name):
                throw malformed("The field \"\(name.canonicalName)\" is not allowed in HTTP/2.")
            case .invalidValue(let name):
                throw malformed("The field \"\(name.canonicalName)\" has an invalid value.")
            }
        }
        guard size <= HTTP2Limits.maximumHeaderList else {
            throw .stream(
                .cancel,
                "The response's header section has \(size) bytes; at most \(HTTP2Limits.maximumHeaderList) are allowed."
            )
        }
        return (status, fields)
    }

    /// Parses a status of three digits, from 100 to 999.
    ///
    /// Statuses from 600 belong to no class (RFC 9110, section 15), but servers use them, and HTTP/1.1 allows them, too.
    private static func status(_ text: String) -> Int? {
        let digits = text.utf8
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text),
            status >= 100
        else { return nil }
        return status
    }

    private static func contentLength(of fields: HTTPFields) throws(HTTP2Error) -> Int64? {
        var length: Int64?
        for value in fields[values: .contentLength] {
            let digits = value.utf8
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(value),
                length == nil || length == number
            else { throw malformed("Its content-length is invalid.") }
            length = number
        }
        return length
    }
}
#endif
