import Foundation
import MoyaHTTP

extension Data {
    /// Bytes that differ at each position, so that a lost, repeated or moved byte is detected.
    static func pattern(_ count: Int) -> Data {
        longPattern.subdata(in: 0..<count)
    }

    private static let longPattern = Data(
        (0..<4 * HTTPBody.pieceSize).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) }
    )
}

/// A sequence of the given elements that ends with the given error.
func elements<Element: Sendable>(
    _ elements: [Element],
    then error: (any Error)? = nil
) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
        elements.forEach { continuation.yield($0) }
        continuation.finish(throwing: error)
    }
}

/// The bytes that a reader returned, and its error.
struct ReadBody {
    var pieces: [Data] = []
    var error: RequestBodyError?

    var bytes: Data { pieces.reduce(into: Data()) { $0.append($1) } }
}

extension HTTPBody.Reader {
    /// Reads to the end or to the first error.
    func rest() async -> ReadBody {
        var read = ReadBody()
        do throws(RequestBodyError) {
            while let piece = try await next() { read.pieces.append(piece) }
        } catch {
            read.error = error
        }
        return read
    }

    /// Reads to the end or to the first error, without waiting.
    func synchronousRest() -> ReadBody {
        var read = ReadBody()
        do throws(RequestBodyError) {
            while let piece = try self.nextBlocking() { read.pieces.append(piece) }
        } catch {
            read.error = error
        }
        return read
    }
}

/// Returns the error of opening a body.
func openingError(_ body: HTTPBody) -> RequestBodyError? {
    do throws(RequestBodyError) {
        _ = try body.open()
        return nil
    } catch {
        return error
    }
}

extension BodySegment {
    /// Returns the segment as the content of a multipart part, as far as errors are concerned.
    func named(_ name: String) -> BodySegment { BodySegment(content, part: part ?? name) }
}
