import Foundation

/// A child process that reads commands from its standard input, and ends when its standard input ends.
final class ChildProcess: @unchecked Sendable {
    // The class is unchecked, because one task at a time uses it.
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received: [UInt8] = []

    /// Starts a program, which is looked up in the search path.
    init(_ command: [String]) throws {
        // Writing to a child that has ended must not end this process.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        // A child inherits the blocked signals of the thread that starts it, and a thread of Dispatch blocks nearly all signals.
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }

    deinit { stop() }

    /// Ends the process: first by the end of its input, then by force.
    func stop() {
        try? input.fileHandleForWriting.close()
        var state = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: 0, revents: 0)
        guard poll(&state, 1, 2_000) == 0, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
    }

    /// Sends a line, and returns the line that the process prints in response.
    func ask(_ line: String, timeout: Duration = .seconds(60)) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        return try readLine(timeout: timeout)
    }

    /// Returns the next line that the process prints.
    func readLine(timeout: Duration = .seconds(60)) throws -> String {
        let end = ContinuousClock.now + timeout
        while true {
            if let newline = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...newline) }
                return String(decoding: received[..<newline], as: UTF8.self)
            }
            let left = Int32(max(0, (end - .now) / .milliseconds(1)))
            var state = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, left) > 0 else { throw BenchFailure("it does not respond") }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchFailure("it ended") }
            received += more
        }
    }
}
