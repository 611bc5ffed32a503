import Foundation

@testable import MoyaHAR

extension HAR {
    /// An archive of one exchange with every kind of member.
    static let small: HAR = {
        var request = Request(
            method: "POST",
            url: "https://api.example.com/users?page=1",
            cookies: [Cookie(name: "sid", value: "***")],
            headers: [Field(name: "Accept", value: "application/json"), Field(name: "Cookie", value: "sid=***")],
            queryString: [Field(name: "page", value: "1")],
            postData: PostData(mimeType: "application/json", text: #"{"name":"Zoë"}"#),
            bodySize: 15
        )
        request.comment = "asked"
        var content = Content(size: 4, mimeType: "image/png", text: "iVBORw==", encoding: "base64")
        content.compression = 1
        var response = Response(
            status: 201,
            statusText: "Created",
            headers: [Field(name: "Content-Type", value: "image/png")],
            content: content,
            redirectURL: "",
            bodySize: 3
        )
        var cookie = Cookie(name: "a", value: "b")
        (cookie.path, cookie.httpOnly, cookie.expires) = ("/", true, "2027-01-01T00:00:00Z")
        response.cookies = [cookie]
        var entry = Entry(
            startedDateTime: Date(timeIntervalSince1970: 1_767_225_600.25),
            time: 12.5,
            request: request,
            response: response,
            timings: Timings(blocked: 1.5, send: 1, wait: 9, receive: 1)
        )
        (entry.pageref, entry.connection, entry.serverIPAddress) = ("page_1", "443", "127.0.0.1")
        var har = HAR(entries: [entry])
        har.browser = Tool(name: "Some browser", version: "1")
        har.pages = [
            Page(
                startedDateTime: Date(timeIntervalSince1970: 1_767_225_600),
                id: "page_1",
                title: "A page",
                pageTimings: Page.Timings(onContentLoad: 10, onLoad: -1)
            )
        ]
        har.comment = "small"
        return har
    }()

    /// The small archive as text.
    static var smallText: String { (try? small.data()).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Returns an archive of requests; the body of each response is the position of its request.
    static func answering(_ requests: Request...) -> HAR {
        HAR(
            entries: requests.enumerated().map { index, request in
                let content = Content(size: 1, mimeType: "text/plain", text: "\(index)")
                return Entry(
                    startedDateTime: Date(timeIntervalSince1970: Double(index)),
                    request: request,
                    response: Response(status: 200, content: content)
                )
            }
        )
    }
}

extension HAR.Request {
    static func get(_ url: String, headers: [String: String] = [:]) -> HAR.Request {
        HAR.Request(
            method: "GET",
            url: url,
            headers: headers.sorted { $0.key < $1.key }.map { HAR.Field(name: $0.key, value: $0.value) }
        )
    }

    static func post(_ body: String?, type: String = "application/json", to url: String = "http://h/p") -> HAR.Request {
        HAR.Request(method: "POST", url: url, postData: body.map { HAR.PostData(mimeType: type, text: $0) })
    }
}
