import Foundation
import Moya

/// The standard input, whose end tells a program that its parent process has ended.
enum StandardInput {
    /// Reads until the end.
    static func waitForEnd() async {
        let end = Promise<Void>()
        // Reading blocks, which is not allowed on a thread of the cooperative pool.
        DispatchQueue.global().async {
            while let piece = try? FileHandle.standardInput.read(upToCount: 4_096), !piece.isEmpty {}
            end.fulfill(())
        }
        await end.wait()
    }

    /// Returns the lines of the standard input, without their ends.
    static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        // Reading blocks, which is not allowed on a thread of the cooperative pool.
        DispatchQueue.global().async {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}
