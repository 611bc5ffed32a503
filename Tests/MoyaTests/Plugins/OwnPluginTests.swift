import Foundation
import Moya
import Testing

// This is the unchanged example of PluginType's documentation.
struct VersionPlugin: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("2", forHTTPHeaderField: "API-Version")
        return request
    }
}

@Suite("An application can write a plugin")
struct OwnPluginTests {
    @Test("the documentation's example of a plugin sets its header", arguments: EntryPoint.allCases)
    func version(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<SomeTarget>(stubClosure: MoyaProvider.immediatelyStub, plugins: [VersionPlugin()])
        let response = await entryPoint.request(SomeTarget(), from: provider).response
        #expect(response?.request?.value(forHTTPHeaderField: "API-Version") == "2")
    }
}
