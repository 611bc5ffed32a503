import Foundation

/// What is to be answered, and how far that has come. Pure, but for what the parts compare by.
struct Script: Sendable {
    typealias Matcher = @Sendable (TransportRequest) -> Bool

    struct Part: Sendable {
        let name: String
        var answers: [ScriptedAnswer]
        let matches: Matcher
        /// How many requests have been answered.
        var asked = 0

        /// The answer of the next request; `nil` where there is to be none.
        var answer: ScriptedAnswer? {
            let answer = asked < answers.count ? answers[asked] : answers.last
            return answer.flatMap { $0.isAnswer ? $0 : nil }
        }
    }

    private static let queueName = "whatever comes next"

    /// Each of its answers is for one request.
    private var queued = Part(name: queueName, answers: []) { _ in true }
    private var list: [Part] = []

    /// What each part is for, in their order.
    var matchers: [Matcher] { list.map(\.matches) }

    /// All parts, as they are shown.
    var parts: [ScriptPart] {
        (queued.answers.isEmpty ? [] : [queued]).map { ScriptPart($0) } + list.map { ScriptPart($0) }
    }

    mutating func queue(_ answers: [ScriptedAnswer]) { queued.answers += answers.filter(\.isAnswer) }

    mutating func add(_ name: String, _ answers: [ScriptedAnswer], matches: @escaping Matcher) {
        list.append(Part(name: name, answers: answers, matches: matches))
    }

    /// The answer of the next request, whatever that is.
    mutating func takeQueued() -> (ScriptedAnswer, ScriptedDraw?)? {
        guard queued.asked < queued.answers.count else { return nil }
        return Self.take(&queued)
    }

    /// The answer of the first of some parts that has one.
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

/// A part of a script, as it is shown.
public struct ScriptPart: Hashable, Sendable, CustomStringConvertible {
    /// What it is for: `GitHub.zen, GET https://api.github.com/zen`.
    public let name: String
    /// How many answers it has.
    public let answers: Int
    /// How many of them a request has had.
    public let used: Int

    fileprivate init(_ part: Script.Part) {
        name = part.name
        answers = part.answers.count { $0.isAnswer }
        used = min(part.asked, answers)
    }

    /// What it is for, and how much of it has been played.
    public var description: String {
        "\(name): \(answers) \(answers == 1 ? "answer" : "answers"), \(used == 0 ? "none" : "\(used)") used"
    }
}
