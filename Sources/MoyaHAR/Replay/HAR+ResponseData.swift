import Foundation
import MoyaHTTP

extension HAR.Entry {
    /// Returns the complete body of the response.
    ///
    /// - Parameter index: The entry's position, for the error.
    /// - Returns: The body.
    /// - Throws: ``HARReplayError`` if the body is missing or cut.
    package func responseData(index: Int) throws(HARReplayError) -> Data {
        let content = response.content
        guard let data = content.data else { throw HARReplayError(.bodyIsMissing, entry: self, index: index) }
        if let kept = content.keptSize {
            throw HARReplayError(.bodyIsCut(kept: kept, size: content.size), entry: self, index: index)
        }
        return data
    }
}

extension HTTPFields {
    /// Creates header fields from the headers of a file.
    ///
    /// Pseudo-header fields of HTTP/2 (`:status`) are skipped; several values in one field are separated by line
    /// breaks.
    package init(_ fields: [HAR.Field]) {
        self.init()
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            let bytes = field.fieldText.bytes
            for value in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                append(HTTPField(name: name, value: value))
            }
        }
    }
}

/// The error for a matching entry whose response cannot be replayed.
public struct HARReplayError: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The file does not contain the body, or refers to another file, which is not read.
        case bodyIsMissing
        /// The file contains only the first bytes of the body.
        case bodyIsCut(kept: Int64, size: Int64)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The entry, masked.
    public let entry: HAR.Entry
    /// The entry's position in the recording, from 0.
    public let index: Int

    package init(_ reason: Reason, entry: HAR.Entry, index: Int) {
        self.reason = reason
        // The entry is masked, because errors are printed.
        self.entry = entry.masking(.standard)
        self.index = index
    }
}

extension HARReplayError: MaskedError {
    /// The missing part, and how to resolve the error.
    public var errorDescription: String? {
        let name = "entry \(index), \(entry.request.method) \(entry.request.url)"
        switch reason {
        case .bodyIsMissing:
            return "The body of \(name), is not in the recording: record or export it with its bodies."
        case .bodyIsCut(let kept, let size):
            return "Only \(kept) of \(size) bytes of the body of \(name), are in the recording: record it with a "
                + "larger limit."
        }
    }
}

/// Finds the code for the error of a recorded exchange that has no response.
package enum RecordedFailure {
    package static func code(of response: HAR.Response) -> URLError.Code {
        // On some platforms the initializer returns `nil` for unknown codes.
        if let code = response.errorCode { return (URLError.Code(rawValue: code) as URLError.Code?) ?? .unknown }
        let text = response.error ?? ""
        return names.first { text.contains($0.name) }?.code ?? .networkConnectionLost
    }

    /// The names of errors in browsers, most of them in Chromium.
    private static let names: [(name: String, code: URLError.Code)] = [
        ("ERR_ABORTED", .cancelled),
        // Firefox writes this name.
        ("NS_BINDING_ABORTED", .cancelled),
        ("ERR_CONNECTION_REFUSED", .cannotConnectToHost),
        ("ERR_CONNECTION_TIMED_OUT", .timedOut),
        ("ERR_TIMED_OUT", .timedOut),
        ("ERR_NAME_NOT_RESOLVED", .cannotFindHost),
        ("ERR_INTERNET_DISCONNECTED", .notConnectedToInternet),
        ("ERR_TOO_MANY_REDIRECTS", .httpTooManyRedirects),
        ("ERR_CERT_DATE_INVALID", .serverCertificateHasBadDate),
        ("ERR_CERT_AUTHORITY_INVALID", .serverCertificateHasUnknownRoot),
        ("ERR_CERT_", .serverCertificateUntrusted),
        ("ERR_SSL_", .secureConnectionFailed),
    ]
}
