import Foundation

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
    private let isClaimed = InlineLocked(false)

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
