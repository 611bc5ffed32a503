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

/// A type-erased async sequence that supplies a body.
package final class BodySequence: Sendable {
    package let length: Int64?
    let isRepeatable: Bool
    private let start: @Sendable () -> Iteration
    private let isClaimed = Locked(false)

    init<S: AsyncSequence & Sendable>(_ sequence: S, length: Int64?, isRepeatable: Bool)
    where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.isRepeatable = isRepeatable
        start = { Iteration(sequence) }
    }

    /// Claims the right to iterate the sequence; returns whether it was available.
    func claim() -> Bool {
        isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return isRepeatable || !isClaimed
        }
    }

    /// Releases the claim of a sequence that has not been iterated.
    func unclaim() { isClaimed.withLock { $0 = false } }

    func makeIteration() -> Iteration { start() }

    // Unchecked because iterators are not Sendable. A reader reads from one task or thread at a time.
    final class Iteration: @unchecked Sendable {
        private let advance: () async throws -> Data?

        fileprivate init<S: AsyncSequence & Sendable>(_ sequence: S)
        where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
            var iterator = sequence.makeAsyncIterator()
            advance = {
                while let element = try await iterator.next() {
                    if !element.isEmpty { return element as? Data ?? Data(element) }
                }
                return nil
            }
        }

        /// Returns the next element that is not empty.
        func next() async throws -> Data? { try await advance() }
    }
}

extension BodySequence: Hashable {
    package static func == (lhs: BodySequence, rhs: BodySequence) -> Bool { lhs === rhs }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A stream that supplies a body once.
// Unchecked because InputStream is not Sendable. The body owns the stream; `claim` grants it to one reader, which
// reads from one task or thread at a time.
package final class BodyStream: @unchecked Sendable {
    package let length: Int64?
    /// The queue that reads the stream.
    ///
    /// A read may block for a long time, so each stream has its own thread.
    let queue = DispatchQueue(label: "MoyaHTTP.BodyStream")
    private let stream: InputStream
    private let isClaimed = Locked(false)

    init(_ stream: InputStream, length: Int64?) {
        self.stream = stream
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Claims the right to read the stream; returns whether it was available.
    func claim() -> Bool {
        let isFirst = isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
        return isFirst && isUnopened
    }

    /// Whether the stream has not been opened: it may have been passed to two bodies.
    var isUnopened: Bool { stream.streamStatus == .notOpen }

    /// Releases the claim of a stream that has not been read.
    func unclaim() { isClaimed.withLock { $0 = false } }

    /// An open stream.
    ///
    /// It is closed on deinitialization.
    final class Opened: Sendable {
        private let source: BodyStream

        init(_ source: BodyStream) {
            self.source = source
            source.stream.open()
        }

        deinit { source.stream.close() }

        /// Reads available bytes, waiting for at least one.
        ///
        /// Returns their number, 0 at the end.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Failure> {
            guard let address = buffer.bindMemory(to: UInt8.self).baseAddress else { return .success(0) }
            // Not `hasBytesAvailable`: it may be true at the end, too.
            let count = source.stream.read(address, maxLength: buffer.count)
            return (0...buffer.count).contains(count) ? .success(count) : .failure(failure)
        }

        /// Returns whether the end has been reached.
        func isAtEnd() -> Result<Bool, Failure> {
            var byte: UInt8 = 0
            return withUnsafeMutableBytes(of: &byte) { read(into: $0) }.map { $0 == 0 }
        }

        private var failure: Failure {
            // On Linux, `streamError` of a stream without an error crashes.
            Failure(cause: source.stream.streamStatus == .error ? source.stream.streamError : nil)
        }
    }

    struct Failure: Error {
        let cause: (any Error)?
    }
}

extension BodyStream: Hashable {
    package static func == (lhs: BodyStream, rhs: BodyStream) -> Bool {
        lhs.stream === rhs.stream && lhs.length == rhs.length
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(stream)) }
}

/// An open file that supplies a body.
///
/// It is closed on deinitialization.
final class BodyFile: Sendable {
    /// The reason why a file cannot be sent.
    enum Fault: Error, Equatable {
        case unsuitable(RequestBodyError.Reason)
        case system(Int32)
    }

    /// The size when the file was opened, in bytes.
    let size: Int64
    private let descriptor: Int32

    /// Opens a regular file for reading.
    init(_ url: URL) throws(Fault) {
        guard url.isFileURL else { throw .unsuitable(.notAFileURL) }
        // The type is checked before opening, since opening a device may have side effects. `O_NONBLOCK` avoids
        // waiting if a named pipe has replaced the file in between.
        let opened = url.withUnsafeFileSystemRepresentation { path -> Result<(Int32, stat), Fault> in
            guard let path else { return .failure(.unsuitable(.missing)) }
            var status = stat()
            guard stat(path, &status) == 0 else { return .failure(Fault(errno)) }
            if let reason = Self.unsuitability(status) { return .failure(.unsuitable(reason)) }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return .failure(Fault(errno)) }
            guard fstat(descriptor, &status) == 0 else {
                let code = errno
                close(descriptor)
                return .failure(Fault(code))
            }
            return .success((descriptor, status))
        }
        let status: stat
        (descriptor, status) = try opened.get()
        size = Int64(status.st_size)
        if let reason = Self.unsuitability(status) { throw .unsuitable(reason) }
    }

    deinit { close(descriptor) }

    /// The current size in bytes, or the size when the file was opened if it cannot be determined.
    var currentSize: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : size
    }

    /// Reads the next bytes.
    ///
    /// Returns their number, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Fault> {
        guard let address = buffer.baseAddress else { return .success(0) }
        while true {
            let count = Foundation.read(descriptor, address, buffer.count)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(Fault(errno)) }
        }
    }

    /// Returns whether the end has been reached.
    func isAtEnd() -> Result<Bool, Fault> {
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { read(into: $0) }.map { $0 == 0 }
    }

    private static func unsuitability(_ status: stat) -> RequestBodyError.Reason? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: .isDirectory
        default: .notARegularFile
        }
    }
}

extension BodyFile.Fault {
    init(_ code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = .unsuitable(.missing)
        case EACCES, EPERM: self = .unsuitable(.notReadable)
        default: self = .system(code)
        }
    }

    func error(part: String?, file: URL) -> RequestBodyError {
        switch self {
        case .unsuitable(let reason):
            RequestBodyError(reason, part: part, file: file)
        case .system(let code):
            RequestBodyError(
                .failed,
                part: part,
                file: file,
                underlyingError: NSError(domain: NSPOSIXErrorDomain, code: Int(code))
            )
        }
    }
}
