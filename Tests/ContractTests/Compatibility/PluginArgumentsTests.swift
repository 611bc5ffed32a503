import Foundation
import Moya
import Testing

@Suite("Plugins accept the arguments of earlier versions")
struct PluginArgumentsTests {
    struct Tokens: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let token = "eyeAm.AJsoN.weBTOKen"
            let plugins = [
                AccessTokenPlugin { token },
                AccessTokenPlugin(tokenClosure: { return token }),
                AccessTokenPlugin(token: token),
                AccessTokenPlugin { (type: AuthorizationType) in type == .bearer ? token : "" },
                AccessTokenPlugin { type -> String in
                    switch type {
                    case .bearer: return token
                    case .basic, .custom: return ""
                    }
                },
                AccessTokenPlugin { _ in token },
            ]
            for plugin in plugins {
                let request = plugin.prepare(Shop.request, target: MultiTargetTests.Account())
                #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
            }
        }
    }

    struct Activity: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            var changes: [NetworkActivityChangeType] = []
            let plugin = NetworkActivityPlugin { change in changes.append(change) }
            let both = NetworkActivityPlugin { change, _ in changes.append(change) }
            for plugin in [plugin, both] {
                plugin.willSend(PluginTests.FakeRequest(request: nil, sessionHeaders: [:]), target: Shop.list)
                plugin.didReceive(.failure(.requestMapping("")), target: Shop.list)
            }
            #expect(changes == [.began, .ended, .began, .ended])
        }
    }

    struct Logger: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            var items: [String] = []
            let plugin = NetworkLoggerPlugin(
                verbose: true,
                cURL: false,
                output: { separator, terminator, values in items.append("\(values)\(separator)\(terminator)") },
                requestDataFormatter: { _ in "request" },
                responseDataFormatter: { $0 + Data("!".utf8) }
            )
            plugin.didReceive(.success(Response(statusCode: 200, data: Data("x".utf8))), target: Shop.list)
            let configuration = plugin.configuration
            let last = items.last ?? ""
            #expect(last.contains("Response Body: x!"))
            #expect(last.hasSuffix("] \n"))
            #expect(configuration.logOptions == .verbose)
            let formatted = configuration.formatter.requestData(Data())
            #expect(formatted == "request")
        }
    }

    struct LoggerOptions: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let plugins = [
                NetworkLoggerPlugin(), NetworkLoggerPlugin(verbose: true), NetworkLoggerPlugin(verbose: false),
                NetworkLoggerPlugin(cURL: true),
            ]
            #expect(plugins.map { $0.configuration.logOptions.rawValue } == [5, 55, 5, 13])
        }
    }

    @Test("AccessTokenPlugin accepts closures without an argument or with the type, and accepts a token")
    func tokens() throws { try check(Tokens()) }

    @Test("NetworkActivityPlugin accepts a closure without a target")
    func activity() throws { try check(Activity()) }

    @Test("NetworkLoggerPlugin accepts its earlier arguments")
    func logger() throws {
        try check(Logger())
        try check(LoggerOptions())
    }
}
