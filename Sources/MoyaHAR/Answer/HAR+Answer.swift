import Foundation
import MoyaHTTP

extension HAR.Entry {
    /// The whole body of the answer.
    ///
    /// - Parameter index: The entry's place, for the error.
    package func answeredData(index: Int) throws(HARAnswerError) -> Data {
        let content = response.content
        guard let data = content.data else { throw HARAnswerError(.bodyIsMissing, entry: self, index: index) }
        if let kept = content.keptSize {
            throw HARAnswerError(.bodyIsCut(kept: kept, size: content.size), entry: self, index: index)
        }
        return data
    }
}

extension HTTPFields {
    /// Headers as a file has them. Those of HTTP/2's own (`:status`) are none; several in one stand a line each.
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
