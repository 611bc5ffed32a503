import Foundation
import Moya
import Testing

@Suite("NetworkLoggerPlugin has the interface of the contract")
struct NetworkLoggerPluginTests {
    typealias Configuration = NetworkLoggerPlugin.Configuration

    @Test("the log options of a logger have Moya 15's raw values")
    func options() {
        let bits: [Configuration.LogOptions] = [
            .requestMethod, .requestBody, .requestHeaders, .formatRequestAscURL, .successResponseBody,
            .errorResponseBody,
        ]
        #expect(bits.map { $0.rawValue } == [1, 2, 4, 8, 16, 32])
        #expect(Configuration.LogOptions.default.rawValue == 5)
        #expect(Configuration.LogOptions.verbose.rawValue == 55)
        let own: Configuration.LogOptions = [.requestMethod, .requestBody]
        #expect(own == Configuration.LogOptions(rawValue: 3))
    }

    @Test("a logger's configuration is created with defaults and can be changed")
    func configuration() {
        var configuration = Configuration()
        let formatter: Configuration.Formatter = configuration.formatter
        #expect(formatter.requestData(Data("a".utf8)) == "a" && configuration.logOptions == .default)
        configuration.logOptions = .verbose
        var logged: [String] = []
        configuration.output = { _, items in logged += items }
        configuration.formatter = Configuration.Formatter(
            entry: { identifier, message, _ in "\(identifier)=\(message)" },
            requestData: { _ in "request" },
            responseData: { _ in "response" }
        )
        let plugin = NetworkLoggerPlugin(configuration: configuration)
        plugin.didReceive(.success(Response(statusCode: 200, data: Data("x".utf8))), target: Shop.list)
        #expect(logged.last == "Response Body=response")
        plugin.configuration.logOptions = []
        plugin.willSend(PluginTests.FakeRequest(request: Shop.request, sessionHeaders: [:]), target: Shop.list)
        #expect(logged.last == "Request=https://shop.test/v1/items")
    }

    @Test("each argument of a logger's configuration and of its formatter can be set alone")
    func arguments() {
        let output: Configuration.OutputType = Configuration.defaultOutput
        let same: (TargetType, [String]) -> Void = Configuration.defaultOutput(target:items:)
        let entry: Configuration.Formatter.EntryFormatterType = Configuration.Formatter.defaultEntryFormatter
        let data: Configuration.Formatter.DataFormatterType = Configuration.Formatter.defaultDataFormatter
        output(Shop.list, [])
        same(Shop.list, [])
        #expect(data(Data([0xFF])) == "## Cannot map data to String ##")
        #expect(entry("Id", "text", Shop.list).hasPrefix("Moya_Logger: ["))
        #expect(entry("Id", "text", Shop.list).hasSuffix("] Id: text"))
        _ = Configuration(formatter: .init(entry: entry))
        _ = Configuration(formatter: .init(requestData: data))
        _ = Configuration(formatter: .init(responseData: data))
        _ = Configuration(output: output)
        #expect(Configuration(logOptions: .verbose).logOptions == .verbose)
        #expect(Configuration.Formatter.defaultDataFormatter(Data("a".utf8)) == "a")
        let text = Configuration.Formatter.defaultEntryFormatter(identifier: "I", message: "m", target: Shop.list)
        #expect(text.hasSuffix("I: m"))
    }

    @Test("the properties default and verbose of NetworkLoggerPlugin create new plugins")
    func ready() {
        let plugin: NetworkLoggerPlugin = .default
        #expect(plugin.configuration.logOptions == .default && plugin !== NetworkLoggerPlugin.default)
        #expect(NetworkLoggerPlugin.verbose.configuration.logOptions == .verbose)
        #expect(NetworkLoggerPlugin().configuration.logOptions == .default)
        let plugins: [PluginType] = [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))]
        #expect(plugins.count == 1)
    }
}
