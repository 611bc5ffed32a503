import Foundation
import HTTPTypes

/// A supported content coding (RFC 9110, section 8.4.1).
public enum ContentCoding: String, CaseIterable, Hashable, Sendable {
    /// The gzip file format (RFC 1952); its obsolete name is `x-gzip`.
    case gzip
    /// The zlib format (RFC 1950), or raw deflate data (RFC 1951), which some servers send under this name.
    case deflate
    #if Brotli
    /// Brotli (RFC 7932), with the package trait `Brotli`.
    case brotli = "br"
    #endif
    #if Zstd
    /// Zstandard (RFC 8878), with windows of at most 8 MiB (RFC 9659), and the package trait `Zstd`.
    case zstd
    #endif

    /// The maximum number of codings of a body.
    ///
    /// Each one multiplies the possible size.
    static let maximumCount = 5

    /// Parses the values of all `Content-Encoding` fields of a message (RFC 9110, section 8.4).
    ///
    /// Names are case-insensitive. Empty elements (RFC 9110, section 5.6.1.2) and `identity` are skipped.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Content-Encoding` fields.
    ///   - skipsUnknown: Whether names that are not content codings are skipped: see ``isNoCoding(_:)``.
    /// - Returns: The codings in the order in which they were applied, so that the last one is decoded first; `nil`
    ///   if one of them is unknown, in which case the body is not decoded.
    /// - Throws: ``ContentDecodingError/tooManyCodings``.
    static func list(
        _ values: [String],
        skippingUnknown skipsUnknown: Bool = false
    ) throws(ContentDecodingError) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for element in elements(of: values) {
            switch element.lowercased() {
            case "x-gzip": codings.append(.gzip)
            case "identity": break
            case let name:
                guard let coding = ContentCoding(rawValue: name) else {
                    if skipsUnknown, isNoCoding(name) { break }
                    return nil
                }
                codings.append(coding)
            }
        }
        guard codings.count <= maximumCount else { throw .tooManyCodings }
        return codings
    }

    /// The registered content codings (IANA, HTTP Content Coding Registry), and others that servers apply.
    private static let registered: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "identity", "pack200-gzip", "x-compress",
        "x-gzip", "zstd",
        "bzip2", "lz4", "lzma", "sdch", "x-bzip2", "x-deflate", "x-lzma", "x-xz", "xz",
    ]

    /// Returns whether a lowercase name is not a content coding.
    ///
    /// Servers send such names by mistake: `none`, a character set (`UTF-8`), or a transfer coding (`aws-chunked`). The body is
    /// unchanged then. A text that is not a token is damaged, and may have been the name of a coding.
    private static func isNoCoding(_ name: String) -> Bool {
        name.utf8.allSatisfy(\.isToken) && !registered.contains(name)
    }

    /// Returns whether the fields contain a coding, supported or not; names that are not codings do not count.
    package static func isCoded(_ values: [String]) -> Bool {
        elements(of: values).contains { element in
            let name = element.lowercased()
            return name != "identity" && !isNoCoding(name)
        }
    }

    /// Returns the first coding that is not supported and that the request did not accept.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Content-Encoding` fields.
    ///   - accepted: The values of the request's `Accept-Encoding` fields (RFC 9110, section 12.5.3).
    ///   - skipsUnknown: Whether names that are not content codings are skipped.
    /// - Returns: The name of the coding, if any.
    static func unsupported(
        in values: [String],
        accepting accepted: [String],
        skippingUnknown skipsUnknown: Bool = false
    ) -> String? {
        let unknown = elements(of: values).filter { (try? list([$0], skippingUnknown: skipsUnknown)) == nil }
        guard !unknown.isEmpty else { return nil }
        let names = Set(elements(of: accepted).compactMap { acceptedName($0) })
        return unknown.first { !names.contains($0.lowercased()) && !names.contains("*") }
    }

    /// Returns the coding of an element such as `br;q=0.5`; `nil` if its weight is zero, which means not
    /// acceptable.
    private static func acceptedName(_ element: String) -> String? {
        let field = ParameterizedField(element)
        let weight = field.parameters.first { $0.name == "q" }.flatMap { Double($0.value) }
        return weight == 0 ? nil : field.value.lowercased()
    }

    /// Returns the list elements without optional whitespace (RFC 9110, section 5.6.3).
    private static func elements(of values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }
            .map { $0.withoutOptionalWhitespace }
            .filter { !$0.isEmpty }
    }
}

extension HTTPFields {
    /// Whether the body has a content coding, so that its positions and its length are not those of the decoded body.
    package var isCoded: Bool { contains(.contentEncoding) && ContentCoding.isCoded(self[values: .contentEncoding]) }
}

/// The limits on the size of decoded bodies, so that a small response cannot exhaust memory or disk space.
///
/// The defaults allow all common responses. Increase them for data that is known to be long and repetitive.
public struct ContentDecodingLimits: Equatable, Sendable {
    /// The maximum number of decoded bytes per encoded byte, through all codings together.
    ///
    /// It applies after 1 MiB of decoded data, since a short response may be one long repetition. Typical text has
    /// a ratio of 5 to 10; deflate reaches 1032 at most.
    public var ratio: Int

    /// The maximum number of bytes after decoding any of the codings.
    ///
    /// It limits endless bodies, which the ratio does not.
    public var size: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - ratio: The maximum number of decoded bytes per encoded byte; 200 by default.
    ///   - size: The maximum number of decoded bytes; 16 GiB by default.
    public init(ratio: Int = 200, size: Int64 = 1 << 34) {
        self.ratio = ratio
        self.size = size
    }
}

/// The count of decoded bytes, checked against the limits.
struct DecodingBudget: Equatable, Sendable {
    /// The number of decoded bytes from which the ratio applies: 1 MiB.
    static let ratioThreshold: Int64 = 1 << 20

    private let limits: ContentDecodingLimits
    private var decoded: Int64 = 0

    init(_ limits: ContentDecodingLimits) { self.limits = limits }

    /// Adds decoded bytes, before they are returned.
    ///
    /// - Parameters:
    ///   - count: The number of decoded bytes to add.
    ///   - encoded: The total number of encoded bytes consumed, if known.
    /// - Throws: ``ContentDecodingError`` if a limit is exceeded.
    mutating func spend(_ count: Int, encoded: Int64?) throws(ContentDecodingError) {
        decoded += Int64(count)
        guard decoded <= limits.size else { throw .sizeExceeded(limit: limits.size) }
        guard decoded > Self.ratioThreshold, let encoded else { return }
        let (allowed, isBeyondAnyCount) = encoded.multipliedReportingOverflow(by: Int64(max(limits.ratio, 0)))
        guard isBeyondAnyCount || decoded <= allowed else { throw .ratioExceeded(limit: limits.ratio) }
    }
}

/// An error in decoding the content coding of a body (RFC 9110, section 8.4).
///
/// It is the `NSUnderlyingErrorKey` of a `URLError` with the code `.cannotDecodeContentData`, or
/// `.dataLengthExceedsMaximum` for ``sizeExceeded(limit:)``.
public enum ContentDecodingError: Error, Equatable, Sendable {
    /// The body is not valid in this coding, its checksum is wrong, or data follows its end.
    case corrupt(ContentCoding)
    /// The body ends before its coded data is complete.
    case truncated
    /// The body grew by more than ``ContentDecodingLimits/ratio``.
    case ratioExceeded(limit: Int)
    /// The body exceeds ``ContentDecodingLimits/size``, in bytes.
    case sizeExceeded(limit: Int64)
    /// The response has more than five codings.
    case tooManyCodings
    /// The response has a coding with this name, which is not supported and which the request did not accept.
    ///
    /// A request whose `Accept-Encoding` contains the coding gets such a body without decoding. Names that are not content
    /// codings are ignored, unless ``SessionOptions/refusesUnknownContentCodings`` is true.
    case unsupported(String)
    /// zlib failed.
    case zlib(ZlibError)
    /// A decoder other than zlib is out of memory.
    case outOfMemory
}

extension ContentDecodingError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .corrupt(let coding):
            "The response's \(coding.rawValue) data is damaged: try again, or request \"Accept-Encoding: identity\"."
        case .truncated:
            "The response's encoded data is incomplete: try again."
        case .ratioExceeded(let limit):
            "The response becomes more than \(limit) times as long when it is decoded: if that is expected, "
                + "increase ContentDecodingLimits.ratio."
        case .sizeExceeded(let limit):
            "The response has more than \(limit) bytes when it is decoded: if that is expected, "
                + "increase ContentDecodingLimits.size."
        case .tooManyCodings:
            "The response has more than \(ContentCoding.maximumCount) content codings: "
                + "request \"Accept-Encoding: identity\"."
        case .unsupported(let name):
            "The response has the content coding \"\(name.prefix(50))\", which was not requested and can't be decoded: "
                + "request \"Accept-Encoding: identity\", or include the coding there to get the data without decoding."
        case .zlib(let error):
            error.errorDescription
        case .outOfMemory:
            "The decoder of the response's content coding is out of memory."
        }
    }
}
