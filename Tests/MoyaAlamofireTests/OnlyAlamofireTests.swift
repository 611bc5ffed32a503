import Alamofire
import Testing

// This file does not import Moya, so that Swift's `Task` keeps its meaning and other declarations can have names of Moya.

@Suite("A file can import Alamofire without Moya")
struct OnlyAlamofireTests {
    private protocol Naming {
        typealias Cancellable = Int
        typealias Cookie = Int
        typealias Image = Int
        typealias Endpoint = Int
        typealias Response = Int
        // Method is omitted, because the Objective-C runtime declares it.
        typealias MoyaError = Int
    }

    private struct Names: Naming {
        func sum(_ a: Cancellable, _ b: Cookie, _ c: Image, _ d: Endpoint, _ e: Response) -> MoyaError {
            a + b + c + d + e
        }
    }

    @Test("Task is Swift's type, and Moya's names are not imported")
    func names() async {
        let task = Task { Names().sum(1, 2, 3, 4, 5) }
        #expect(await task.value == 15)
    }

    @Test("the session, its types and Foundation's types are imported")
    func types() throws {
        let session: Alamofire.Session = AF
        let headers: HTTPHeaders = [HTTPHeader(name: "A", value: "1")]
        let form: MultipartFormData = Alamofire.MultipartFormData()
        let request = try URLRequest(url: "https://shop.test", method: .post, headers: headers)
        #expect(session === Session.default && request.method == .post && !form.boundary.isEmpty)
        #expect(request.headers["A"] == "1")
        #expect(throws: AlamofireError.self) { try "a b".asURL() }
    }
}
