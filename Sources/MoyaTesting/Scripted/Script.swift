import Foundation

/// The answers of a script and how many of them were used.
struct Script: Sendable {
    typealias Matcher = @Sendable (TransportRequest) -> Bool

    struct Part: Sendable {
        let name: String
        var answers: [ScriptedAnswer]
        let matches: Matcher
        /// The number of requests that have been answered.
        var asked = 0

        /// The answer to the next request; `nil` if no further request is allowed.
        var answer: ScriptedAnswer? {
            let answer = asked < answers.count ? answers[asked] : answers.last
            return answer.flatMap { $0.isAnswer ? $0 : nil }
        }
    }

    private static let queueName = "the next requests"

    /// The queue of answers for the next requests; each is used once.
    private var queued = Part(name: queueName, answers: []) { _ in true }
    private var list: [Part] = []

    /// The matchers of all parts, in order.
    var matchers: [Matcher] { list.map(\.matches) }

    /// All parts, for descriptions.
    var parts: [ScriptPart] {
        (queued.answers.isEmpty ? [] : [queued]).map { ScriptPart($0) } + list.map { ScriptPart($0) }
    }

    mutating func queue(_ answers: [ScriptedAnswer]) { queued.answers += answers.filter(\.isAnswer) }

    mutating func add(_ name: String, _ answers: [ScriptedAnswer], matches: @escaping Matcher) {
        list.append(Part(name: name, answers: answers, matches: matches))
    }

    /// Takes the next queued answer, which is for any request.
    mutating func takeQueued() -> (ScriptedAnswer, ScriptedDraw?)? {
        guard queued.asked < queued.answers.count else { return nil }
        return Self.take(&queued)
    }

    /// Takes the answer of the first of the given parts that has one.
    mutating func take(from candidates: [Int]) -> (ScriptedAnswer, ScriptedDraw?)? {
        candidates.first { list[$0].answer != nil }.flatMap { Self.take(&list[$0]) }
    }

    private static func take(_ part: inout Part) -> (ScriptedAnswer, ScriptedDraw?)? {
        guard var answer = part.answer else { return nil }
        var draw: ScriptedDraw?
        while case .chance(let chance) = answer.content {
            let delay = answer.delay
            let choice = chance.choose(number: part.asked, part: part.name)
            (answer, draw) = (choice.answer.after(delay), choice.draw)
        }
        part.asked += 1
        return (answer, draw)
    }
}

/// A part of a script, for descriptions.
public struct ScriptPart: Hashable, Sendable, CustomStringConvertible {
    /// The requests that the part is for: `GitHub.zen, GET https://api.github.com/zen`.
    public let name: String
    /// The number of answers.
    public let answers: Int
    /// The number of answers that were used.
    public let used: Int

    fileprivate init(_ part: Script.Part) {
        name = part.name
        answers = part.answers.count { $0.isAnswer }
        used = min(part.asked, answers)
    }

    /// The name, the number of answers, and how many of them were used.
    public var description: String {
        "\(name): \(answers) \(answers == 1 ? "answer" : "answers"), \(used == 0 ? "none" : "\(used)") used"
    }
}
