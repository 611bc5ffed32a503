import Foundation

/// A stream that supplies a body once.
// Unchecked because InputStream is not Sendable. The body owns it once it is given; `claim` lets one reader have it, and
// that one reads from one place at a time.
package final class BodyStream: @unchecked Sendable {
    let length: Int64?
    /// Where it is read: a stream may wait long for who writes into it, so it has a thread to itself.
    let queue = DispatchQueue(label: "MoyaHTTP.BodyStream")
    private let stream: InputStream
    private let isClaimed = Locked(false)

    init(_ stream: InputStream, length: Int64?) {
        self.stream = stream
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Takes the right to read it. Returns whether it was still to be had.
    func claim() -> Bool {
        let isFirst = isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
        return isFirst && isUnopened
    }

    /// Whether nobody has opened the stream: it may have been given to two bodies.
    var isUnopened: Bool { stream.streamStatus == .notOpen }

    /// Gives the right to read it back, unused.
    func unclaim() { isClaimed.withLock { $0 = false } }

    /// A stream that is open; it is closed when nobody holds it any more.
    final class Opened: Sendable {
        private let source: BodyStream

        init(_ source: BodyStream) {
            self.source = source
            source.stream.open()
        }

        deinit { source.stream.close() }

        /// Reads what there is, waiting for at least one byte. Returns the number of bytes, 0 at the end.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Failure> {
            guard let address = buffer.bindMemory(to: UInt8.self).baseAddress else { return .success(0) }
            // Not `hasBytesAvailable`: it may say so at the end, too.
            let count = source.stream.read(address, maxLength: buffer.count)
            return (0...buffer.count).contains(count) ? .success(count) : .failure(failure)
        }

        /// Whether nothing follows.
        func isAtEnd() -> Result<Bool, Failure> {
            var byte: UInt8 = 0
            return withUnsafeMutableBytes(of: &byte) { read(into: $0) }.map { $0 == 0 }
        }

        private var failure: Failure {
            // On Linux to ask a stream without an error for its error ends the process.
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
