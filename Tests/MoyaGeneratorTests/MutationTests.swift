import Foundation
import MoyaGenerator
import Testing

@Suite("Mutated documents never end the process")
struct MutationTests {
    /// A generator of numbers that is the same in each run.
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// A setting of scripts/check/generator; the default is that of a test run.
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    @Test(
        "changed bytes and lines lead to files or to errors with a place",
        arguments: [
            fixtures.appendingPathComponent("library.json"), fixtures.appendingPathComponent("assistant.yaml"),
            examples.appendingPathComponent("Documents/trails.yaml"),
            examples.appendingPathComponent("Documents/kitchen.yaml"),
            examples.appendingPathComponent("Documents/weather.har"),
        ]
    )
    func mutations(document: URL) throws {
        let original = Array(try Data(contentsOf: document))
        let common = Array(try Data(contentsOf: fixtures.appendingPathComponent("common.yaml")))
        let count = Self.setting("MOYA_MUTATIONS", default: 60)
        var numbers = Numbers(state: UInt64(Self.setting("MOYA_MUTATIONS_SEED", default: 7)))
        let isRecording = document.pathExtension == "har"
        var failures = 0
        for _ in 0..<count {
            let mutated = Self.mutate(original, &numbers)
            let files = DocumentFiles { path in
                switch path {
                case "api": mutated
                case "common.yaml": common
                default: throw CocoaError(.fileReadNoSuchFile)
                }
            }
            let source = isRecording ? Generator.Source.recordings(["api"]) : .openAPI("api")
            do {
                let result = try Generator.generate(from: source, Configuration(), files: files)
                #expect(result.files.allSatisfy { $0.text.hasSuffix("\n") && !$0.text.contains("\r") })
                #expect(Set(result.files.map { $0.path.lowercased() }).count == result.files.count)
            } catch {
                failures += 1
                #expect(
                    !error.diagnostics.isEmpty
                        && error.diagnostics.allSatisfy { $0.severity == .error && $0.location.line > 0 }
                )
            }
        }
        #expect(failures > count / 50 && failures < count * 49 / 50)
    }

    /// Changes a byte, removes or repeats lines, or replaces a word by another one of the text.
    private static func mutate(_ bytes: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        let line = Int.random(in: lines.indices, using: &numbers)
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0:
            var bytes = bytes
            bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            return bytes
        case 1: lines.remove(at: line)
        case 2: lines.insert(lines[Int.random(in: lines.indices, using: &numbers)], at: line)
        case 3: lines.swapAt(line, Int.random(in: lines.indices, using: &numbers))
        default:
            let words = lines[line].split { !$0.isLetter && !$0.isNumber }
            let others = lines[Int.random(in: lines.indices, using: &numbers)].split { !$0.isLetter && !$0.isNumber }
            if let word = words.randomElement(using: &numbers), let other = others.randomElement(using: &numbers) {
                lines[line] = lines[line].replacing(word, with: other)
            }
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
