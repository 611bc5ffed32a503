import Foundation
import Moya
import Testing

@Suite("DownloadDestination has the interface of the contract's appendix")
struct DownloadRequestTests {
    @Test("a download destination is a closure that gets a URL and a response and returns a URL and options")
    func destination() {
        let destination: DownloadDestination = { temporaryURL, response in
            return (temporaryURL.appendingPathComponent("\(response.statusCode)"), [.removePreviousFile])
        }
        let same: DownloadRequest.Destination = destination
        let place = same(URL(fileURLWithPath: "/tmp"), Shop.head)
        let url: URL = place.destinationURL
        let options: DownloadRequest.Options = place.options
        #expect(url.lastPathComponent == "201" && options.contains(.removePreviousFile))
    }

    @Test("the two options of a download have Alamofire's raw values")
    func options() {
        let both: DownloadRequest.Options = [.createIntermediateDirectories, .removePreviousFile]
        #expect(both.rawValue == 3 && both != [])
    }

    @Test("suggestedDownloadDestination has defaults for all arguments")
    func suggested() {
        let all: [DownloadDestination] = [
            DownloadRequest.suggestedDownloadDestination(),
            DownloadRequest.suggestedDownloadDestination(for: .cachesDirectory),
            DownloadRequest.suggestedDownloadDestination(in: .userDomainMask),
            DownloadRequest.suggestedDownloadDestination(options: [.removePreviousFile]),
            DownloadRequest.suggestedDownloadDestination(
                for: .documentDirectory,
                in: .userDomainMask,
                options: [.createIntermediateDirectories]
            ),
        ]
        let options = all.map { $0(URL(fileURLWithPath: "/tmp/x"), Shop.head).options }
        #expect(options == [[], [], [], [.removePreviousFile], [.createIntermediateDirectories]])
    }
}
