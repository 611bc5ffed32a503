import Foundation

/// One of the things that a body is put together from.
package struct BodySegment: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case bytes(Data)
        case file(URL)
        case stream(BodyStream)
        case sequence(BodySequence)
    }

    package let content: Content
    /// The name of the multipart part this is the content of, for errors.
    package let part: String?

    package init(_ content: Content, part: String? = nil) {
        self.content = content
        self.part = part
    }

    package static func bytes(_ data: Data) -> BodySegment { BodySegment(.bytes(data)) }

    /// The same segment as the content of a part. A part within a part keeps its own name.
    package func named(_ name: String) -> BodySegment { BodySegment(content, part: part ?? name) }

    var isRepeatable: Bool {
        switch content {
        case .bytes, .file: true
        case .stream: false
        case .sequence(let sequence): sequence.isRepeatable
        }
    }

    /// Joins neighbouring bytes that fit into one piece, and drops what is empty, so that a body of many small parts has
    /// few segments.
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
    /// The most bytes that are read and handed on at a time.
    package static let pieceSize = 128 * 1024
}

extension BodySegment {
    /// The length if it is known before reading. Looks whether a file can be read.
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

    /// Takes the right to read what can be read once only. Returns whether it was still to be had.
    func claim() -> Bool {
        switch content {
        case .bytes, .file: true
        case .stream(let stream): stream.claim()
        case .sequence(let sequence): sequence.claim()
        }
    }

    /// Gives that right back, unused.
    func unclaim() {
        switch content {
        case .bytes, .file: break
        case .stream(let stream): stream.unclaim()
        case .sequence(let sequence): sequence.unclaim()
        }
    }
}
