import Foundation
import Moya
import Testing

// The example of PluginType's documentation, unchanged.
struct VersionPlugin: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("2", forHTTPHeaderField: "API-Version")
        return request
    }
}

@Suite("A plugin of the application")
struct OwnPluginTests {
    @Test("the documentation's example works", arguments: EntryPoint.allCases)
    func version(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<SomeTarget>(stubClosure: MoyaProvider.immediatelyStub, plugins: [VersionPlugin()])
        let response = await entryPoint.request(SomeTarget(), from: provider).response
        #expect(response?.request?.value(forHTTPHeaderField: "API-Version") == "2")
    }
}
