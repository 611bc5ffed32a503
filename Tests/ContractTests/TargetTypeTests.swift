import Foundation
import Moya
import Testing

@Suite("TargetType and ValidationType have the interface of the contract")
struct TargetTypeTests {
    /// A target that declares only the members without a default.
    struct Least: TargetType {
        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "" }
        var method: Moya.Method { return .get }
        var task: Task { return .requestPlain }
        var headers: [String: String]? { return nil }
    }

    /// A class that declares all members of a target.
    final class Most: TargetType, @unchecked Sendable {
        var baseURL = URL(string: "https://shop.test")!
        var path = "most"
        var method: Moya.Method = .put
        var sampleData = Data("most".utf8)
        var task: Task = .requestPlain
        var validationType: ValidationType = .customCodes([204])
        var headers: [String: String]? = ["A": "b"]
    }

    @Test("sampleData and validationType of a target have defaults")
    func defaults() {
        let target: TargetType = Least()
        #expect(target.sampleData.isEmpty && target.validationType == .none)
    }

    @Test("all members of a target can be read through TargetType")
    func members() {
        let target: TargetType = Most()
        #expect(target.baseURL.host == "shop.test" && target.path == "most" && target.method == .put)
        #expect(target.sampleData == Data("most".utf8) && target.validationType == .customCodes([204]))
        #expect(target.headers == ["A": "b"])
        if case .requestPlain = target.task {} else { Issue.record("the task is another") }
    }

    @Test("ValidationType has four cases and is Equatable")
    func validation() {
        func name(_ type: ValidationType) -> String {
            switch type {
            case .none: return "none"
            case .successCodes: return "successCodes"
            case .successAndRedirectCodes: return "successAndRedirectCodes"
            case .customCodes(let codes): return "customCodes \(codes)"
            }
        }
        let all: [ValidationType] = [.none, .successCodes, .successAndRedirectCodes, .customCodes([1])]
        #expect(all.map(name) == ["none", "successCodes", "successAndRedirectCodes", "customCodes [1]"])
        let equal: (ValidationType, ValidationType) -> Bool = (==)
        #expect(equal(.customCodes([1]), .customCodes([1])) && ValidationType.customCodes([1]) != .customCodes([2]))
    }
}
