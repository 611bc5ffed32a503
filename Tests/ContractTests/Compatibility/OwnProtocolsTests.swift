import Foundation
import Moya
import Testing

/// Checks that the library hides no name of an application's protocols, because an imported name takes precedence over an inherited
/// one.
@Suite("An application's protocols may use the library's names")
struct OwnProtocolsTests {
    @Test("associated types of an application may have the names of Alamofire's types")
    func associatedTypes() {
        let loader = ItemLoader()
        #expect(loader.loadAgain([1, 2]) == "2")
        #expect(loader.upload("a", loader).count == 1)
    }

    @Test("typealiases of an application may have the names of removed types")
    func typealiases() {
        let screen = Screen()
        #expect(screen.sum(1, 2, 3, 4, 5) == 15)
        #expect(screen.sum(6, 7, 8, 9, 10, 11) == 51)
        #expect(screen.older(1, 2, 3) == 6)
    }

    @Test("a protocol of the application may declare asURL() for a text and a method for a request")
    func members() throws {
        let address: any Addressed = "shop"
        #expect(try address.asURL().absoluteString == "https://shop.test/shop")
        #expect(try "shop".asURL() == address.asURL())
    }
}

private protocol Loading {
    associatedtype Parameters
    associatedtype DataRequest
    associatedtype UploadRequest = [String]
    associatedtype SessionDelegate
    func load(_ parameters: Parameters) -> DataRequest
    var delegate: SessionDelegate? { get }
}

private struct ItemLoader: Loading {
    var delegate: Int?

    func load(_ parameters: [Int]) -> String { "\(parameters.count)" }
    func loadAgain(_ parameters: Parameters) -> DataRequest { load(parameters) }
    func upload(_ request: DataRequest, _ loader: ItemLoader, _ delegate: SessionDelegate? = nil) -> UploadRequest {
        [request]
    }
}

private protocol Naming {
    typealias AFError = Int
    typealias AFDataResponse = Int
    typealias DataResponse = Int
    typealias SessionDelegate = Int
    typealias RequestSetup = Int
    typealias URLConvertible = Int
    typealias CachedResponseHandler = Int
    typealias NetworkReachabilityManager = Int
    typealias ResponseCacher = Int
    typealias RevocationTrustEvaluator = Int
    typealias ClosureEventMonitor = Int
    typealias AlamofireNotifications = Int
    typealias SessionManager = Int
    typealias ServerTrustPolicy = Int
    typealias UploadType = Int
    typealias DownloadType = Int
}

private struct Screen: Naming {
    func sum(_ a: AFError, _ b: AFDataResponse, _ c: DataResponse, _ d: SessionDelegate, _ e: RequestSetup) -> Int {
        a + b + c + d + e
    }

    func sum(
        _ a: URLConvertible,
        _ b: CachedResponseHandler,
        _ c: NetworkReachabilityManager,
        _ d: ResponseCacher,
        _ e: RevocationTrustEvaluator,
        _ f: ClosureEventMonitor,
        _ g: AlamofireNotifications = 0
    ) -> Int { a + b + c + d + e + f + g }

    func older(_ a: SessionManager, _ b: ServerTrustPolicy, _ c: UploadType, _ d: DownloadType = 0) -> Int {
        a + b + c + d
    }
}

private protocol Addressed {
    func asURL() throws -> URL
}

extension Addressed {
    func asURL() throws -> URL { try #require(URL(string: "https://shop.test/\(self)")) }
}

extension String: Addressed {}
