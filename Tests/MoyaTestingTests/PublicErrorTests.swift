import Foundation
import Moya
import Testing

@testable import MoyaHAR
@testable import MoyaTesting

@Suite("A public error describes itself without secrets")
struct PublicErrorTests {
    private static let text = "https://ash:5ecret@h.test/a?token=5ecret&sig=5ecret&b=1"
    // Foundation parses this URL, so the default value is never used.
    private static let url = URL(string: text) ?? URL(fileURLWithPath: "/")

    private static let response: Response = {
        var request = URLRequest(url: url)
        request.setValue("Bearer 5ecret", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(#"{"password":"5ecret"}"#.utf8)
        let head = HTTPURLResponse(
            url: url,
            statusCode: 403,
            httpVersion: nil,
            headerFields: ["Set-Cookie": "a=5ecret", "Content-Type": "application/json"]
        )
        return Response(
            statusCode: 403,
            data: Data(#"{"access_token":"5ecret"}"#.utf8),
            request: request,
            response: head
        )
    }()

    private static let entry: HAR.Entry = {
        var request = HAR.Request(method: "GET", url: text)
        request.headers = [HAR.Field(name: "X-Api-Key", value: "5ecret")]
        return HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0),
            request: request,
            response: HAR.Response(status: 200)
        )
    }()

    private static let urlError = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url, "body": "5ecret"])
    private static let decoding = DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "5ecret is not a number")
    )

    static let errors: [any Error] = [
        MoyaError.imageMapping(response), MoyaError.jsonMapping(response), MoyaError.stringMapping(response),
        MoyaError.objectMapping(decoding, response), MoyaError.encodableMapping(decoding),
        MoyaError.statusCode(response),
        MoyaError.underlying(urlError, response), MoyaError.requestMapping(text), MoyaError.parameterEncoding(urlError),
        MoyaError.underlying(RequestValidationError.invalidURL(text), nil),
        MoyaError.underlying(MoyaError.statusCode(response), response),
        AlamofireError.invalidURL(url: text), AlamofireError.sessionTaskFailed(error: urlError),
        AlamofireError.createURLRequestFailed(error: MoyaError.statusCode(response)),
        RequestValidationError.invalidURL(text), RequestValidationError.invalidURL("http://ash:5ecret@h:99999/"),
        RequestValidationError.invalidHeaderValue(name: "X"),
        MultipartError.noFileName(part: "a", file: url), MultipartError.notAFileURL(url),
        RequestBodyError(.notAFileURL, file: url, underlyingError: urlError),
        RequestBodyError(.failed, underlyingError: urlError),
        RequestNotProcessedError(cause: MoyaError.statusCode(response)),
        ConnectionWaitError(waited: .seconds(1), server: "https://h.test", resource: .attempt),
        TransportShutdownError(wasRunning: true), RedirectError.loop, CookieError.empty,
        CookieFileError.invalidLocation(url),
        DownloadError.notWritable(url),
        HostResolutionError.failed(host: "h.test", reason: "see \(text)", cause: urlError),
        ServerTrustError(host: "h.test", reason: .noCertificate, underlyingError: urlError),
        OAuth2Error.refused(.invalidGrant, description: "see \(text)", uri: text), AuthenticationError.excessiveRefresh,
        ContentDecodingError.truncated, EventStreamError.tooManyFailures(1), StreamLimitError.lineTooLong(limit: 1),
        CertificateError.notDER, TransportConfigurationError.invalid(.proxy, reason: "see \(text)"),
        CacheStoreError.inUse(url), UnacceptableStatusError(status: 403), URLEncoding.Error.nestedTooDeeply,
        JSONEncoding.Error.invalidJSONObject, PropertyListEncoding.Error.nestedTooDeeply,
        URLEncodedFormEncoder.Error.nestedTooDeeply, PublicSuffixListError.empty,
        HARError(.missing, file: url), HARError(.invalidValue("is \(text)"), path: "log"),
        HARReplayError(.bodyIsMissing, entry: entry, index: 0), UnusedEntriesError(entries: [entry]),
        HARModeError(value: "see \(text)"), CapturedBodyError.missing,
    ]

    @Test(
        "the description of a public error is the localized text, without the request's query, headers or body",
        arguments: errors.indices
    )
    func masked(index: Int) throws {
        let error = Self.errors[index]
        var dumped = ""
        dump(error, to: &dumped)
        let result = Result<Int, any Error>.failure(error)
        for text in [
            "\(error)", String(reflecting: error), error.localizedDescription, dumped, "\([error])", "\(result)",
            String(describing: Optional(error)),
        ] {
            #expect(!text.contains("5ecret"), "\(text)")
        }
        #expect("\(error)".count > 10 && "\(error)".contains(" "), "\(error)")
        #expect(String(reflecting: error).hasPrefix("\(error)"))
        #expect(Mirror(reflecting: error).children.isEmpty || error is PublicSuffixListError)
    }

    @Test("the description of a status error begins with the request and the status")
    func refused() {
        let error = MoyaError.statusCode(Self.response)
        #expect("\(error)".hasPrefix("GET https://h.test/a?token=***&sig=***&b=1 returned the status code 403"))
        #expect(String(reflecting: error) == "\(error) (Moya.MoyaError)")
    }

    @Test("the description of every public error type in the sources is masked")
    func all() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        // NoErrorBody has no cases. PublicSuffixListError is in a module that cannot use the mask, so it defines its texts separately.
        let exceptions: Set<String> = ["NoErrorBody", "PublicSuffixListError"]
        var declared: Set<String> = []
        var masked: Set<String> = []
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" && !file.path.contains("/MoyaCLI/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            let scope = file.deletingPathExtension().lastPathComponent
            for match in text.matches(of: /public (?:struct|enum|final class) (\w+)(?:<[^>]*>)?: ([^{\n]*)\{/) {
                let parents = Set(match.2.split { !($0.isLetter || $0 == "." || $0 == "_") }.map(String.init))
                let errors: Set<String> = [
                    "Error", "Swift.Error", "RequestDefinitionError", "MatchableError", "MaskedError",
                ]
                guard !parents.isDisjoint(with: errors) else { continue }
                let name = match.1 == "Error" ? "\(scope).Error" : String(match.1)
                declared.insert(name)
                if parents.contains("MaskedError") { masked.insert(name) }
            }
            for match in text.matches(of: /extension ([\w.]+): ([^{\n]*)\{/) where match.2.contains("MaskedError") {
                masked.insert(String(match.1))
            }
        }
        #expect(declared.count > 35, "\(declared)")
        #expect(declared.subtracting(masked).subtracting(exceptions).isEmpty)
    }
}
