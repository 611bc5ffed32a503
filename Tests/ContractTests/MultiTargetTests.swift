import Foundation
import Moya
import Testing

@Suite("MultiTarget has the interface of the contract")
struct MultiTargetTests {
    struct Account: TargetType, AccessTokenAuthorizable {
        let baseURL = URL(string: "https://shop.test")!
        let path = "account"
        let method: Moya.Method = .get
        let task: Task = .requestPlain
        let headers: [String: String]? = nil
        let authorizationType: AuthorizationType? = .bearer
        let validationType: ValidationType = .successCodes
    }

    @Test("MultiTarget forwards all members and wraps any target")
    func members() {
        let multi = MultiTarget(Shop.order(name: "tea"))
        #expect(multi.path == "orders" && multi.baseURL.absoluteString == "https://shop.test/v1")
        #expect(multi.method == .post && multi.headers == ["Shop": "1"] && multi.validationType == .none)
        #expect(multi.sampleData == Shop.list.sampleData && multi.authorizationType == nil)
        guard case .requestParameters = multi.task, multi.target is Shop else {
            Issue.record("task or target is another")
            return
        }
        let account: MultiTarget = .target(Account())
        #expect(account.authorizationType == .bearer && account.validationType == .successCodes)
        let authorizable: AccessTokenAuthorizable = account
        #expect(authorizable.authorizationType == .bearer)
    }

    @Test("MultiTarget has one case, which contains a target")
    func cases() {
        func target(of multi: MultiTarget) -> TargetType {
            switch multi {
            case .target(let target): return target
            }
        }
        #expect(target(of: MultiTarget(Account())).path == "account")
    }

    @Test("one provider of MultiTarget serves several targets")
    func provider() throws {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        var statuses: [Int] = []
        provider.request(MultiTarget(Shop.list)) { statuses.append((try? $0.get().statusCode) ?? 0) }
        provider.request(MultiTarget(Account())) { statuses.append((try? $0.get().statusCode) ?? 0) }
        #expect(statuses == [200, 200])
    }
}
