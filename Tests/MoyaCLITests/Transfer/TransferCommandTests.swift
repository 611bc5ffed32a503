import ArgumentParser
import Foundation
import Testing

@testable import moya_cli

@Suite("moya-cli transfer parses its options")
struct TransferCommandTests {
    #if NIO
    @Test("by default, moya-cli transfer downloads 1 GiB over the platform's engine within 32 MiB")
    func defaults() throws {
        let command = try #require(try MoyaCLI.parseAsRoot(["transfer"]) as? TransferCommand)
        #expect(command.direction == .download)
        #expect(command.size == .mebibytes(1_024))
        #expect(command.transport == .platformDefault)
        #expect(command.memoryLimit == 32)
        #expect(command.baseURL == nil)
    }
    #endif

    @Test("options of moya-cli transfer set the direction, the size, the engine, the memory limit and the URL")
    func options() throws {
        let command = try TransferCommand.parse([
            "--direction", "multipart", "--size", "64MiB", "--transport", "urlsession", "--memory-limit", "0",
            "--base-url", "http://127.0.0.1:8080",
        ])
        #expect(command.direction == .multipart)
        #expect(command.size == .mebibytes(64))
        #expect(command.transport == .urlSession)
        #expect(command.memoryLimit == 0)
        #expect(command.baseURL?.url.absoluteString == "http://127.0.0.1:8080")
    }

    @Test(
        "invalid values of moya-cli transfer's options are argument errors",
        arguments: [
            ["--direction", "sideways"], ["--size", "0"], ["--size", "1MB"], ["--transport", "pigeon"],
            ["--memory-limit", "-1"], ["--memory-limit", "9223372036854775807"], ["--base-url", "/zen"],
        ]
    )
    func refused(_ arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try MoyaCLI.parseAsRoot(["transfer"] + arguments) }
        guard let error else { return }
        #expect(MoyaCLI.exitCode(for: error) == .validationFailure)
    }

    @Test("the help of moya-cli transfer names the directions, the engines and the exit status")
    func help() {
        let help = MoyaCLI.helpMessage(for: TransferCommand.self)
        for word in ["download", "upload", "multipart", "stream", "urlsession", "--memory-limit", "exit status"] {
            #expect(help.contains(word), "\(word)")
        }
    }
}
