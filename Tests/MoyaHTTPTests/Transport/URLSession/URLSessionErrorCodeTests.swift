import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The errors of URLSession on Apple's platforms have URLError codes")
struct URLSessionErrorCodeTests {
    private static let network = "kCFErrorDomainCFNetwork"

    private static func made(_ error: any Error, isShutDown: Bool = false) -> URLError {
        URLError(
            urlSessionError: error,
            url: URL(string: "http://user:secret@h/p"),
            isShutDown: isShutDown,
            system: .darwin
        )
    }

    /// The numbers of `sys/errno.h` on Darwin.
    static let systemErrors: [(Int, URLError.Code)] = [
        (2, .cannotConnectToHost), (23, .cannotConnectToHost), (24, .cannotConnectToHost), (32, .networkConnectionLost),
        (49, .cannotConnectToHost), (50, .notConnectedToInternet), (51, .notConnectedToInternet),
        (52, .networkConnectionLost), (53, .networkConnectionLost), (54, .networkConnectionLost),
        (57, .networkConnectionLost), (58, .networkConnectionLost), (60, .timedOut), (61, .cannotConnectToHost),
        (64, .cannotConnectToHost), (65, .cannotConnectToHost), (89, .networkConnectionLost), (22, .unknown),
        // Numbers with a meaning on Linux only: ECONNRESET, ETIMEDOUT, ECONNREFUSED.
        (104, .unknown), (110, .unknown), (111, .unknown), (-1, .unknown), (.max, .unknown),
    ]

    @Test("an errno from URLSession has the same code as with NIOTransport", arguments: systemErrors)
    func systemError(_ number: Int, code: URLError.Code) {
        #expect(Self.made(NSError(domain: NSPOSIXErrorDomain, code: number)).code == code)
    }

    @Test("the table's error numbers match this system's headers, and on Darwin all of them do")
    func headers() {
        let constants: [(CInt, SocketFailure)] = [
            (ECONNRESET, .connectionReset), (ETIMEDOUT, .timedOut), (ECONNREFUSED, .connectionRefused),
            (ENETDOWN, .networkDown), (EPIPE, .brokenPipe), (EHOSTUNREACH, .hostUnreachable), (ENOTCONN, .notConnected),
            (ECONNABORTED, .connectionAborted), (ECANCELED, .cancelled),
        ]
        for (number, failure) in constants {
            #expect(SocketFailure(errno: number) == failure)
            #if canImport(Darwin)
            #expect(SocketFailure(numberOnDarwin: Int(number)) == failure)
            #endif
        }
        #expect(SocketFailure(errno: EINVAL) == nil)
        let onDarwin = Set((0...255).compactMap(SocketFailure.init(numberOnDarwin:)))
        #expect(onDarwin == Set(SocketFailure.allCases))
    }

    /// The numbers of `CFNetworkErrors.h`.
    static let networkErrors: [(Int, URLError.Code)] = [
        (1, .cannotFindHost), (2, .cannotFindHost), (100, .cannotConnectToHost), (113, .cannotConnectToHost),
        (120, .cannotConnectToHost), (122, .userAuthenticationRequired), (124, .userAuthenticationRequired),
        (301, .userAuthenticationRequired), (302, .networkConnectionLost), (303, .cannotParseResponse),
        (304, .httpTooManyRedirects), (305, .badURL), (306, .cannotConnectToHost), (307, .userAuthenticationRequired),
        (308, .cannotConnectToHost), (309, .userAuthenticationRequired), (310, .cannotConnectToHost),
        (311, .badServerResponse), (-998, .unknown), (-999, .networkConnectionLost), (-1001, .timedOut),
        (-1004, .cannotConnectToHost), (-1005, .networkConnectionLost), (-1200, .secureConnectionFailed),
        (0, .unknown), (200, .unknown), (-994, .unknown), (-72_000, .unknown),
    ]

    @Test("an error of CFNetwork has the same code as with NIOTransport", arguments: networkErrors)
    func networkError(_ number: Int, code: URLError.Code) {
        #if !canImport(Darwin)
        // Foundation on Linux names all of its codes.
        guard number != -72_000 else { return }
        #endif
        #expect(Self.made(NSError(domain: Self.network, code: number)).code == code)
    }

    @Test("lost connections in each error domain can be retried")
    func retry() {
        let errors = [
            NSError(domain: NSPOSIXErrorDomain, code: 53), NSError(domain: NSPOSIXErrorDomain, code: 57),
            NSError(domain: NSPOSIXErrorDomain, code: 60), NSError(domain: Self.network, code: 310),
            NSError(domain: Self.network, code: -1005), NSError(domain: NSURLErrorDomain, code: -999),
        ]
        for error in errors {
            let code = Self.made(error).code
            let row = RetryableError.all.first { $0.code == code }
            #expect(row.map { if case .none = $0.chance { false } else { true } } == true, "\(error)")
        }
    }

    @Test("an error without a code gets the code of its underlying error")
    func underlying() {
        let posix = NSError(domain: NSPOSIXErrorDomain, code: 54)
        let unknown = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSUnderlyingErrorKey: posix])
        #expect(Self.made(unknown).code == .networkConnectionLost)
        let known = NSError(domain: NSURLErrorDomain, code: -1_001, userInfo: [NSUnderlyingErrorKey: posix])
        #expect(Self.made(known).code == .timedOut)
        var chain = posix
        for _ in 0..<100 { chain = NSError(domain: "d", code: 0, userInfo: [NSUnderlyingErrorKey: chain]) }
        #expect(Self.made(chain).code == .unknown)
    }

    @Test(
        "a task that the system cancels is a lost connection, and a task of a transport that is shut down is cancelled"
    )
    func cancelled() {
        let error = NSError(
            domain: NSURLErrorDomain,
            code: NSURLErrorCancelled,
            userInfo: [NSLocalizedDescriptionKey: "abgebrochen"]
        )
        let made = Self.made(error)
        #expect(made.code == .networkConnectionLost)
        #expect(made.localizedDescription == URLError.make(.networkConnectionLost, url: nil).localizedDescription)
        #expect((made.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == .cancelled)
        let shutDown = Self.made(error, isShutDown: true)
        #expect(shutDown.code == .cancelled && shutDown.isShutdown)
        #expect(Self.made(URLError(.timedOut), isShutDown: true).code == .timedOut)
    }

    @Test("the localized text and other information of URLSession's errors are kept")
    func information() {
        let text = "Die Ressource konnte nicht geladen werden, da die App-Transport-Sicherheitsrichtlinie …"
        let error = NSError(
            domain: NSURLErrorDomain,
            code: -1_022,
            userInfo: [NSLocalizedDescriptionKey: text, "NSURLErrorNetworkUnavailableReasonKey": 1, "other": "kept"]
        )
        let made = Self.made(error)
        #expect(made.code == .appTransportSecurityRequiresSecureConnection)
        #expect(made.localizedDescription == text)
        #expect(made.userInfo["NSURLErrorNetworkUnavailableReasonKey"] as? Int == 1)
        #expect(made.userInfo["other"] as? String == "kept")
        #expect(made.failingURL?.absoluteString == "http://h/p")
        // The text of this library is used if URLSession has no text, or only that of libcurl.
        let ours = URLError.make(.timedOut, url: nil).localizedDescription
        #expect(Self.made(NSError(domain: NSURLErrorDomain, code: -1_001)).localizedDescription == ours)
        let curl = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "Timeout was reached"])
        #expect(URLError(urlSessionError: curl, url: nil, system: .other).localizedDescription == ours)
    }

    @Test("no text of URLSession's errors shows user name and password, even in nested underlying errors")
    func credentials() throws {
        let url = try #require(URL(string: "http://user:secret@h/p"))
        let info: [String: Any] = [
            NSURLErrorFailingURLErrorKey: url, "NSErrorFailingURLStringKey": url.absoluteString,
        ]
        func nested(_ depth: Int) -> NSError {
            (0..<depth).reduce(NSError(domain: Self.network, code: 310, userInfo: info)) { cause, index in
                NSError(
                    domain: index.isMultiple(of: 2) ? NSURLErrorDomain : Self.network,
                    code: -1_004,
                    userInfo: info.merging([NSUnderlyingErrorKey: cause]) { $1 }
                )
            }
        }
        for depth in [0, 1, 2, 5, 20] {
            let made = Self.made(nested(depth))
            var dump = ""
            Swift.dump(made, to: &dump)
            for text in ["\(made)", String(reflecting: made), "\(made as NSError)", "\(made.userInfo)", dump] {
                #expect(!text.contains("secret"), "\(depth)")
            }
            #expect(made.code == .cannotConnectToHost)
        }
    }
}
