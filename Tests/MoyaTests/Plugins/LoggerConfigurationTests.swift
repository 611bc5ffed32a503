import Foundation
import Moya
import TestSupport
import Testing

@Suite("NetworkLoggerPlugin.Configuration selects and formats items")
struct LoggerConfigurationTests {
    typealias Configuration = NetworkLoggerPlugin.Configuration
    typealias Options = Configuration.LogOptions

    @Test("fact 139: each log option has its bit")
    func options() {
        let bits: [Options] = [
            .requestMethod, .requestBody, .requestHeaders, .formatRequestAscURL, .successResponseBody,
            .errorResponseBody, .secrets,
        ]
        #expect(bits.map(\.rawValue) == (0..<7).map { 1 << $0 })
        #expect(Options.default.rawValue == 5)
        #expect(Options.verbose.rawValue == 55)
    }

    @Test("fact 139: the properties default and verbose create new logger plugins")
    func presets() {
        #expect(NetworkLoggerPlugin.default !== NetworkLoggerPlugin.default)
        #expect(NetworkLoggerPlugin.verbose !== NetworkLoggerPlugin.verbose)
        #expect(NetworkLoggerPlugin.default.configuration.logOptions == .default)
        #expect(NetworkLoggerPlugin.verbose.configuration.logOptions == .verbose)
        #expect(NetworkLoggerPlugin().configuration.logOptions == .default)
        #expect(NetworkLoggerPlugin().configuration.secretNames.isEmpty)
    }

    @Test("fact 139: a changed logger configuration applies to later requests")
    func mutation() throws {
        let output = Recorder<[String]>()
        let logger = NetworkLoggerPlugin()
        let request = Session(FakeTransport.body("")).request(URLRequest(url: SomeTarget().baseURL))
        logger.configuration.output = { _, items in output.add(items) }
        logger.configuration.formatter.entry = { identifier, _, _ in identifier }
        logger.configuration.logOptions = []
        logger.willSend(request, target: SomeTarget())
        logger.configuration.logOptions = .requestMethod
        logger.willSend(request, target: SomeTarget())
        #expect(output.values == [["Request"], ["Request", "HTTP Request Method"]])
    }

    @Test("a logger configuration may be changed during logging")
    func concurrentMutation() async {
        let output = Recorder<Int>()
        let logger = NetworkLoggerPlugin(configuration: Configuration(output: { _, items in output.add(items.count) }))
        let result: Result<Response, MoyaError> = .success(Response(statusCode: 200, data: Data()))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    if index % 4 == 0 { logger.configuration.logOptions = index % 8 == 0 ? .verbose : .default }
                    logger.didReceive(result, target: SomeTarget())
                }
            }
        }
        #expect(output.values.count == 200)
        #expect(output.values.allSatisfy { (1...2).contains($0) })
    }

    @Test("fact 128: the logger's output closure gets the target")
    func target() {
        let seen = Recorder<String>()
        let note: @Sendable (any TargetType) -> Void = { seen.add(($0 as? SomeTarget)?.tag ?? "?") }
        let logger = NetworkLoggerPlugin(
            configuration: Configuration(
                formatter: Configuration.Formatter(entry: { _, _, target in
                    note(target)
                    return ""
                }),
                output: { target, _ in note(target) }
            )
        )
        logger.didReceive(.success(Response(statusCode: 200, data: Data())), target: SomeTarget(tag: "t"))
        #expect(seen.values == ["t", "t"])
    }

    @Test("fact 137: a logger's default entry has date, identifier and message")
    func entry() throws {
        let before = Date()
        let text = Configuration.Formatter.defaultEntryFormatter(
            identifier: "Name",
            message: "a: [b]\nc",
            target: SomeTarget()
        )
        #expect(text.hasPrefix("Moya_Logger: ["))
        #expect(text.hasSuffix("] Name: a: [b]\nc"))
        let date = text.dropFirst("Moya_Logger: [".count).prefix { $0 != "]" }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd, HH:mm:ss.SSS"
        let time = try #require(formatter.date(from: String(date)), "\(date)")
        // Milliseconds may be rounded.
        #expect((before.addingTimeInterval(-0.002)...Date().addingTimeInterval(0.002)).contains(time), "\(date)")
    }

    #if os(macOS) || os(Linux)
    // The test runs in another process, so that it can observe the standard output.
    @Test("fact 137: the logger's default output prints one line for each item")
    func printing() async {
        let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Configuration.defaultOutput(target: SomeTarget(), items: ["first", "second"])
            Configuration.defaultOutput(target: SomeTarget(), items: [])
            Configuration.defaultOutput(target: SomeTarget(), items: ["third"])
        }
        let text = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("first\nsecond\nthird\n"), "\(text)")
    }
    #endif

    @Test("fact 138: the logger has separate formatters for requests and responses")
    func formatters() throws {
        let output = Recorder<[String]>()
        let logger = NetworkLoggerPlugin(
            configuration: Configuration(
                formatter: Configuration.Formatter(
                    entry: { identifier, message, _ in "\(identifier): \(message)" },
                    requestData: { "request \($0.count)" },
                    responseData: { "response \($0.count)" }
                ),
                output: { output.add($1) },
                logOptions: .verbose
            )
        )
        var request = URLRequest(url: SomeTarget().baseURL)
        request.httpBody = Data("12".utf8)
        logger.willSend(Session(FakeTransport.body("")).request(request), target: SomeTarget())
        logger.didReceive(.success(Response(statusCode: 200, data: Data("123".utf8))), target: SomeTarget())
        #expect(output.values.first?.contains("Request Body: request 2") == true)
        #expect(output.values.last?.last == "Response Body: response 3")
    }

    @Test(
        "fact 138: the logger's default formatter shows a body in UTF-8, and a placeholder for other bodies",
        arguments: [
            (Data("text".utf8), "text"), (Data(), ""), (Data("é\n".utf8), "é\n"),
            (Data([0xFF]), "## Cannot map data to String ##"), (Data([0x61, 0xC3]), "## Cannot map data to String ##"),
        ]
    )
    func data(data: Data, expected: String) {
        #expect(Configuration.Formatter.defaultDataFormatter(data) == expected)
    }

    static let jsonRows: [(String, String)] = [
        ("{}", "{}"), ("[ ]", "[]"), ("3", "3"), ("\"a\"", "\"a\""), (" null\n", "null"),
        ("{\"b\":1,\"a\":[true, {}]}", "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    {}\n  ]\n}"),
        ("[[],[[]],1]", "[\n  [],\n  [\n    []\n  ],\n  1\n]"),
        // Numbers stay as the server wrote them.
        ("[1.10,12345678901234567890123,1e2]", "[\n  1.10,\n  12345678901234567890123,\n  1e2\n]"),
        // Punctuation in strings is text.
        (#"["{,:}[] \" \\","é\u0041/"]"#, "[\n  \"{,:}[] \\\" \\\\\",\n  \"é\\u0041/\"\n]"),
        // Invalid JSON stays unchanged.
        ("{\"a\":", "{\"a\":"), ("<p>", "<p>"), ("", ""), ("{a:1}", "{a:1}"), ("[1]]", "[1]]"),
    ]

    @Test("the logger's JSON formatter indents JSON and leaves other data unchanged", arguments: jsonRows)
    func json(text: String, expected: String) {
        #expect(Configuration.Formatter.jsonDataFormatter(Data(text.utf8)) == expected)
    }

    @Test("the logger's JSON formatter accepts binary data and deep nesting")
    func hostileJSON() {
        let formatter = Configuration.Formatter.jsonDataFormatter
        #expect(formatter(Data([0xFF, 0xFE])) == "## Cannot map data to String ##")
        let deep = String(repeating: "[", count: 100_000)
        #expect(formatter(Data(deep.utf8)) == deep)
        let nested = String(repeating: "[", count: 400)
        let ones = Array(repeating: "1", count: 10_000).joined(separator: ",")
        let text = formatter(Data((nested + ones + String(repeating: "]", count: 400)).utf8))
        #expect(text.utf8.count < 1_000_000)
        #expect(text.filter { !$0.isWhitespace } == nested + ones + String(repeating: "]", count: 400))
    }
}
