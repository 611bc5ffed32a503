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
    /// Creates headers from those of a file.
    ///
    /// Pseudo-header fields of HTTP/2 (`:status`) are skipped; several values in one field are separated by line
    /// breaks.
    package init(_ fields: [HAR.Field]) {
        self.init()
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            for value in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                append(HTTPField(name: name, value: String(value)))
            }
        }
    }
}
