import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The destination of a download can be chosen")
struct DownloadRequestTests {
    private let temporaryURL = URL(fileURLWithPath: "/tmp/temporary")

    private func response(_ headers: [String: String] = [:], url: String = "http://h/f.txt") throws -> HTTPURLResponse {
        let url = try #require(URL(string: url))
        return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headers))
    }

    @Test("the options of a download destination have distinct bits")
    func options() {
        #expect(DownloadRequest.Options.createIntermediateDirectories.rawValue == 1)
        #expect(DownloadRequest.Options.removePreviousFile.rawValue == 2)
        #expect(DownloadRequest.Options.resumesWhenInterrupted.rawValue == 4)
        let both: DownloadRequest.Options = [.createIntermediateDirectories, .removePreviousFile]
        #expect(both.rawValue == 3)
    }

    @Test("the destination of a download can be a closure")
    func ownClosure() throws {
        let destination: DownloadRequest.Destination = { temporaryURL, _ in (temporaryURL, [.removePreviousFile]) }
        let (url, options) = destination(temporaryURL, try response())
        #expect(url == temporaryURL)
        #expect(options == .removePreviousFile)
    }

    @Test("the default destination is in the user's documents, with the server's name and without options")
    func documents() throws {
        let documents = try #require(FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first)
        let (url, options) = DownloadRequest.suggestedDownloadDestination()(temporaryURL, try response())
        #expect(url == documents.appendingPathComponent("f.txt", isDirectory: false))
        #expect(options == [])
    }

    @Test("the destination of a download can be another folder of the user, with options")
    func caches() throws {
        let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        let destination = DownloadRequest.suggestedDownloadDestination(
            for: .cachesDirectory,
            in: .userDomainMask,
            options: [.createIntermediateDirectories]
        )
        let (url, options) = destination(temporaryURL, try response())
        #expect(url == caches.appendingPathComponent("f.txt", isDirectory: false))
        #expect(options == .createIntermediateDirectories)
    }

    @Test("the destination of a download is the temporary URL if the chosen folder does not exist")
    func noFolder() throws {
        let destination = DownloadRequest.suggestedDownloadDestination(in: [], options: .removePreviousFile)
        let (url, options) = destination(temporaryURL, try response())
        #expect(url == temporaryURL)
        #expect(options == .removePreviousFile)
    }

    @Test(
        "the suggested destination uses the server's name, which Foundation's response suggests",
        arguments: [
            ([.contentDisposition: "attachment; filename=\"a.zip\""], "http://h/b", "a.zip"),
            ([.contentType: "image/png"], "http://h/folder/b.png?c=d", "b.png"),
        ] as [(HTTPFields, String, String)]
    )
    func suggestedFilename(_ headers: HTTPFields, url: String, name: String) throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        let response = SessionResponse(request: request, statusCode: 200, headers: headers)
        #expect(response.makeHTTPURLResponse()?.suggestedFilename == name)
    }

    @Test(
        "the suggested destination cannot leave the folder because of the server's name",
        arguments: [
            (["Content-Disposition": "attachment; filename=\"../../x\""], "http://h/", "x"),
            (["content-disposition": "attachment; filename*=UTF-8''..%2F%E2%82%AC"], "http://h/", "€"),
            (["Content-Disposition": "attachment; filename=\"..\""], "http://h/%2e%2e%2Fy", "y"),
            (["Content-Disposition": "attachment; filename=\"a%2Fb?c#d\""], "http://h/", "a%2Fb?c#d"),
            (["Content-Type": "application/zip"], "http://h/..%2F", "download.zip"),
        ] as [([String: String], String, String)]
    )
    func names(_ headers: [String: String], url: String, name: String) throws {
        let folder = URL(fileURLWithPath: "/tmp/folder", isDirectory: true)
        let destination = DownloadRequest.suggestedDownloadDestination(in: folder, options: .removePreviousFile)
        let (result, options) = destination(temporaryURL, try response(headers, url: url))
        #expect(result.path(percentEncoded: false) == "/tmp/folder/\(name)")
        #expect(options == .removePreviousFile)
        #expect(DownloadRequest.suggestedDownloadDestination(in: folder)(temporaryURL, try response()).options == [])
    }
}
