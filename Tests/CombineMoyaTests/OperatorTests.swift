#if canImport(Combine) || OpenCombine
import EntryPointCases
import Foundation
import Moya
import TestSupport
import Testing

@testable import CombineMoya

@Suite("Operators apply Response's functions to publishers")
struct OperatorTests {
    typealias Responses = AnyPublisher<Response, MoyaError>

    struct Foreign: Error, Equatable {}

    struct APIFailure: Decodable, Error, Equatable {
        var message: String
    }

    /// An operator, its input and its result.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var status = 200
        var body = ""
        var apply: @Sendable (Responses) -> AnyPublisher<String, MoyaError>
        var expected: String

        var testDescription: String { "\(name), \(status) \(body)" }
    }

    private static func show(_ publisher: Responses) -> AnyPublisher<String, MoyaError> {
        publisher.map { "\($0.statusCode)" }.eraseToAnyPublisher()
    }

    private static let page = #"{"user":{"message":"hello"}}"#
    private static let pixel = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
    )

    static let rows = [
        Row(
            name: "filter(statusCodes:)",
            status: 205,
            apply: { show($0.filter(statusCodes: 200..<206)) },
            expected: "205"
        ),
        Row(
            name: "filter(statusCodes:)",
            status: 206,
            apply: { show($0.filter(statusCodes: 200..<206)) },
            expected: "statusCode 206"
        ),
        Row(name: "filter(statusCode:)", apply: { show($0.filter(statusCode: 200)) }, expected: "200"),
        Row(name: "filter(statusCode:)", apply: { show($0.filter(statusCode: 201)) }, expected: "statusCode 200"),
        Row(name: "success", status: 299, apply: { show($0.filterSuccessfulStatusCodes()) }, expected: "299"),
        Row(
            name: "success",
            status: 300,
            apply: { show($0.filterSuccessfulStatusCodes()) },
            expected: "statusCode 300"
        ),
        Row(
            name: "success and redirect",
            status: 399,
            apply: { show($0.filterSuccessfulStatusAndRedirectCodes()) },
            expected: "399"
        ),
        Row(
            name: "success and redirect",
            status: 400,
            apply: { show($0.filterSuccessfulStatusAndRedirectCodes()) },
            expected: "statusCode 400"
        ),
        Row(
            name: "mapImage",
            body: "no image",
            apply: { $0.mapImage().map { "\($0)" }.eraseToAnyPublisher() },
            expected: "imageMapping"
        ),
        Row(
            name: "mapJSON",
            body: "[7]",
            apply: { $0.mapJSON().map { "\(($0 as? [Int]) ?? [])" }.eraseToAnyPublisher() },
            expected: "[7]"
        ),
        Row(
            name: "mapJSON",
            body: "{",
            apply: { $0.mapJSON().map { "\($0)" }.eraseToAnyPublisher() },
            expected: "jsonMapping"
        ),
        Row(
            name: "mapJSON",
            apply: { $0.mapJSON().map { "\($0)" }.eraseToAnyPublisher() },
            expected: "jsonMapping"
        ),
        Row(
            name: "mapJSON(failsOnEmptyData:)",
            apply: { $0.mapJSON(failsOnEmptyData: false).map { "\($0 is NSNull)" }.eraseToAnyPublisher() },
            expected: "true"
        ),
        Row(name: "mapString", body: "text", apply: { $0.mapString() }, expected: "text"),
        Row(
            name: "mapString(atKeyPath:)",
            body: page,
            apply: { $0.mapString(atKeyPath: "user.message") },
            expected: "hello"
        ),
        Row(
            name: "mapString(atKeyPath:)",
            body: page,
            apply: { $0.mapString(atKeyPath: "user.name") },
            expected: "stringMapping"
        ),
        Row(
            name: "map",
            body: #"{"message":"m"}"#,
            apply: { $0.map(Message.self).map(\.message).eraseToAnyPublisher() },
            expected: "m"
        ),
        Row(
            name: "map(atKeyPath:)",
            body: page,
            apply: { $0.map(Message.self, atKeyPath: "user").map(\.message).eraseToAnyPublisher() },
            expected: "hello"
        ),
        Row(
            name: "map",
            body: "{}",
            apply: { $0.map(Message.self).map(\.message).eraseToAnyPublisher() },
            expected: "objectMapping"
        ),
        Row(
            name: "map(atKeyPath:)",
            body: page,
            apply: { $0.map(Message.self, atKeyPath: "nobody").map(\.message).eraseToAnyPublisher() },
            expected: "jsonMapping"
        ),
        Row(
            name: "map(failsOnEmptyData:)",
            apply: {
                $0.map([String: String].self, using: JSONDecoder(), failsOnEmptyData: false).map { "\($0)" }
                    .eraseToAnyPublisher()
            },
            expected: "[:]"
        ),
        Row(
            name: "map(using: some ResponseDecoder)",
            body: "<plist><dict><key>message</key><string>p</string></dict></plist>",
            apply: { $0.map(Message.self, using: PropertyListDecoder()).map(\.message).eraseToAnyPublisher() },
            expected: "p"
        ),
        Row(
            name: "map(using: a function)",
            body: "abc",
            apply: { $0.map(using: { String($0.count) }) },
            expected: "3"
        ),
        Row(
            name: "map(using: a function)",
            apply: { $0.map(String.self) { _ in throw Foreign() } },
            expected: "objectMapping"
        ),
        Row(
            name: "a body that says what went wrong",
            status: 422,
            body: #"{"message":"too long"}"#,
            apply: { show($0.filterSuccessfulStatusCodes(orFailWith: APIFailure.self)) },
            expected: #"underlying APIFailure(message: "too long") 422"#
        ),
        Row(
            name: "a body that says nothing",
            status: 502,
            body: "<html>",
            apply: { show($0.filterSuccessfulStatusCodes(orFailWith: APIFailure.self)) },
            expected: "statusCode 502"
        ),
        Row(
            name: "a body of success",
            body: #"{"message":"fine"}"#,
            apply: { show($0.filterSuccessfulStatusCodes(orFailWith: APIFailure.self)) },
            expected: "200"
        ),
        // Fact 147: the error of the function becomes .underlying.
        Row(
            name: "a foreign error",
            apply: { $0.lift { _ -> String in throw Foreign() } },
            expected: "underlying Foreign() nil"
        ),
    ]

    private func outcome(of publisher: AnyPublisher<String, MoyaError>) -> [String] {
        let heard = Recorder<String>()
        let subscription = publisher.sink { completion in
            switch completion {
            case .finished: heard.add("end")
            case .failure(let error): heard.add(Self.name(of: error))
            }
        } receiveValue: {
            heard.add($0)
        }
        subscription.cancel()
        return heard.values
    }

    private static func name(of error: MoyaError) -> String {
        switch error {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .statusCode(let response): "statusCode \(response.statusCode)"
        case .underlying(let error, let response):
            "underlying \(error) \(response.map { "\($0.statusCode)" } ?? "nil")"
        case .encodableMapping, .requestMapping, .parameterEncoding: "\(error)"
        }
    }

    @Test(
        "fact 147: operators of publishers apply Response's functions and fail with their errors",
        arguments: rows
    )
    func row(_ row: Row) {
        let response = Response.text(row.body, status: row.status)
        let publisher = Just(response).setFailureType(to: MoyaError.self).eraseToAnyPublisher()
        let heard = outcome(of: row.apply(publisher))
        let isFailure = heard.count == 1
        #expect(heard == (isFailure ? [row.expected] : [row.expected, "end"]))
    }

    @Test("fact 147: operators wrap other errors in .underlying without a response, and keep a MoyaError unchanged")
    func errors() {
        let failing = Fail<Response, MoyaError>(error: .statusCode(.text("", status: 500)))
        #expect(outcome(of: failing.mapString()) == ["statusCode 500"])
        #expect(outcome(of: failing.filterSuccessfulStatusCodes().mapString()) == ["statusCode 500"])
        let response = Just(Response.text("")).setFailureType(to: MoyaError.self)
        #expect(outcome(of: response.lift { _ -> String in throw Foreign() }) == ["underlying Foreign() nil"])
    }

    @Test("an operator can decode the body of a response that validation refused as an error")
    func validated() {
        let refused = Response.text(#"{"message":"no"}"#, status: 403)
        let failing = Fail<Response, MoyaError>(error: .underlying(MoyaError.statusCode(refused), refused))
        let publisher = failing.filterSuccessfulStatusCodes(orFailWith: APIFailure.self).mapString()
        #expect(outcome(of: publisher) == [#"underlying APIFailure(message: "no") 403"#])
    }

    @Test("the operator mapImage publishes an image")
    func image() throws {
        let data = try #require(Self.pixel)
        let sizes = Recorder<Bool>()
        let subscription = Just(Response(statusCode: 200, data: data)).setFailureType(to: MoyaError.self)
            .mapImage()
            .sink { _ in
            } receiveValue: { _ in
                sizes.add(true)
            }
        #expect(sizes.values == [true])
        subscription.cancel()
    }

    @Test("fact 145: filterCompleted publishes responses, and filterProgress publishes the fractions before them")
    func progress() {
        let half = Progress(totalUnitCount: 10)
        half.completedUnitCount = 5
        let values = [
            ProgressResponse(), ProgressResponse(progress: half),
            ProgressResponse(progress: half, response: .text("a")),
        ]
        let publisher = values.publisher.setFailureType(to: MoyaError.self)
        let completed = Recorder<Response>()
        let fractions = Recorder<Double>()
        let subscriptions = [
            publisher.filterCompleted().sink { _ in
            } receiveValue: {
                completed.add($0)
            },
            publisher.filterProgress().sink { _ in
            } receiveValue: {
                fractions.add($0)
            },
        ]
        #expect(completed.values == [.text("a")])
        #expect(fractions.values == [0, 0.5])
        subscriptions.forEach { $0.cancel() }
    }
}
#endif
