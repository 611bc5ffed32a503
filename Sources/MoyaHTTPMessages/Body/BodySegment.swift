import Foundation

/// A part of a body: bytes, a file, a stream or a sequence.
package struct BodySegment: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case bytes(Data)
        case file(URL)
        case stream(BodyStream)
        case sequence(BodySequence)
    }

    package let content: Content
    /// The name of the multipart part that contains the segment, for errors.
    package let part: String?
    /// The delimiter that must not occur in the segment, which is checked while the segment is read.
    let delimiter: MultipartDelimiter?

    package init(_ content: Content, part: String? = nil) {
        self.init(content, part: part, delimiter: nil)
    }

    private init(_ content: Content, part: String?, delimiter: MultipartDelimiter?) {
        self.content = content
        self.part = part
        self.delimiter = delimiter
    }

    package static func bytes(_ data: Data) -> BodySegment { BodySegment(.bytes(data)) }

    /// Returns the segment as the content of a multipart part.
    ///
    /// A name that is already set is kept.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - delimiter: The delimiter that must not occur in the part; `nil` to skip the check.
    /// - Returns: The segment.
    /// - Throws: ``MultipartError/boundaryInPart(part:boundary:)`` if the segment is in memory and contains the delimiter.
    func asContent(ofPart name: String, avoiding delimiter: MultipartDelimiter?) throws(MultipartError) -> BodySegment {
        if case .bytes(let data) = content {
            if let delimiter, delimiter.isFound(in: data) {
                throw .boundaryInPart(part: part ?? name, boundary: delimiter.boundary)
            }
            return self
        }
        return BodySegment(content, part: part ?? name, delimiter: delimiter ?? self.delimiter)
    }

    var isRepeatable: Bool {
        switch content {
        case .bytes, .file: true
        case .stream: false
        case .sequence(let sequence): sequence.isRepeatable
        }
    }

    /// Joins adjacent bytes that fit into one piece and drops empty segments, so that a body of many small parts
    /// has few segments.
    static func merging(_ segments: [BodySegment]) -> [BodySegment] {
        var merged: [BodySegment] = []
        var run = Data()
        func endRun() {
            if !run.isEmpty { merged.append(.bytes(run)) }
            run = Data()
        }
        for segment in segments {
            guard case .bytes(let data) = segment.content else {
                endRun()
                merged.append(segment)
                continue
            }
            if run.count + data.count > HTTPBody.pieceSize { endRun() }
            if run.isEmpty {
                run = data
            } else {
                run.append(data)
            }
        }
        endRun()
        return merged
    }
}

extension HTTPBody {
    /// The maximum number of bytes in a piece.
    package static let pieceSize = 128 * 1024
}

extension BodySegment {
    /// Returns the length if it is known before reading.
    ///
    /// Checks that a file is readable.
    func checkedLength() throws(RequestBodyError) -> Int64? {
        switch content {
        case .bytes(let data): return Int64(data.count)
        case .stream(let stream): return stream.length
        case .sequence(let sequence): return sequence.length
        case .file(let url):
            do throws(BodyFile.Fault) {
                return try BodyFile(url).size
            } catch {
                throw error.error(part: part, file: url)
            }
        }
    }

    /// Claims the right to read a segment that can be read only once; returns whether it was available.
    func claim() -> Bool {
        switch content {
        case .bytes, .file: true
        case .stream(let stream): stream.claim()
        case .sequence(let sequence): sequence.claim()
        }
    }

    /// Releases the claim of a segment that has not been read.
    func unclaim() {
        switch content {
        case .bytes, .file: break
        case .stream(let stream): stream.unclaim()
        case .sequence(let sequence): sequence.unclaim()
        }
    }
}
