import Foundation
import MoyaHTTP

/// A stream controlled by a test.
final class StubStream: InputStream {
    private let reading: (UnsafeMutablePointer<UInt8>, Int) -> Int
    private let failure: (any Error)?
    private var status = Stream.Status.notOpen
    /// Fulfilled when the stream is closed.
    let closed = Promise<Void>()

    init(failure: (any Error)? = nil, reading: @escaping (UnsafeMutablePointer<UInt8>, Int) -> Int) {
        self.reading = reading
        self.failure = failure
        super.init(data: Data())
    }

    override init?(url: URL) { nil }

    override func open() { status = .open }

    override func close() {
        status = .closed
        closed.fulfill(())
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        let count = reading(buffer, length)
        if count < 0, failure != nil { status = .error }
        return count
    }

    // It returns a wrong value, like the streams of Linux at the end of a file.
    override var hasBytesAvailable: Bool { true }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
}

extension StubStream {
    /// Supplies one chunk per read, and then 0 for the end or -1 for a failure.
    convenience init(chunks: [Data], end: Int = 0, failure: (any Error)? = nil) {
        var rest = chunks
        self.init(failure: failure) { buffer, length in
            guard let chunk = rest.first else { return end }
            let count = min(chunk.count, length)
            chunk.copyBytes(to: buffer, count: count)
            rest[0] = chunk.dropFirst(count)
            if rest[0].isEmpty { rest.removeFirst() }
            return count
        }
    }
}
