import Foundation

/// A program that runs to its end.
struct SpawnedProgram {
    /// The output of the program.
    var output = ""
    /// The time to the first byte that it printed, in seconds.
    var secondsToOutput = 0.0
    /// The user and system time of the program in seconds.
    var processorTime = 0.0

    /// Runs a program.
    ///
    /// - Parameter command: The program, which is looked up in the search path, and its arguments.
    /// - Returns: The output and the times.
    /// - Throws: ``BenchFailure`` if it can't be started, or fails.
    static func run(_ command: [String]) throws -> SpawnedProgram {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchFailure("There is no pipe: \(errno).") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let clock = ContinuousClock()
        let start = clock.now
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try spawn(command, output: ends[1])
        }
        var program = SpawnedProgram()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            guard count > 0 else { break }
            if bytes.isEmpty { program.secondsToOutput = (clock.now - start) / .seconds(1) }
            bytes += buffer[..<count]
        }
        program.output = String(decoding: bytes, as: UTF8.self)
        var (status, usage) = (Int32(0), rusage())
        wait4(child, &status, 0, &usage)
        guard status == 0 else { throw BenchFailure("\(command[0]) ended with \(status >> 8): \(program.output)") }
        program.processorTime = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        return program
    }

    private static func spawn(_ command: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A child inherits the blocked signals of the thread that starts it, and a thread of Dispatch blocks nearly all signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, environ)
        guard result == 0 else { throw BenchFailure("\(command[0]) is missing") }
        return child
    }
}
