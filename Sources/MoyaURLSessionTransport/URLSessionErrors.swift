import Foundation

/// The code for an error of URLSession, which may have the domain of a lower layer.
struct URLSessionErrorCode: Equatable, Sendable {
    /// The system whose error numbers an error in `NSPOSIXErrorDomain` has.
    enum System: Sendable {
        case darwin
        case other

        #if canImport(Darwin)
        static let current = System.darwin
        #else
        static let current = System.other
        #endif
    }

    /// The domain of CFNetwork's errors, `kCFErrorDomainCFNetwork`.
    static let networkDomain = "kCFErrorDomainCFNetwork"

    /// The maximum number of underlying errors that are read.
    private static let longestChain = 4

    /// The code of Foundation; `unknown` for an error of another domain.
    let code: URLError.Code
    /// Whether the error has this code itself, so that its text describes it.
    let isOriginal: Bool

    /// Creates the code for an error.
    ///
    /// An error without a code gets the code of its underlying error.
    ///
    /// A request that its caller cancels, or whose transport is shut down, has ended before URLSession reports the cancellation.
    /// In any other case, the system has stopped the task, for example because it has suspended the application. This counts as a
    /// lost connection, so that the request can be retried.
    init(_ error: NSError, system: System = .current) {
        var next: NSError? = error
        var found = URLError.Code.unknown
        for _ in 0..<Self.longestChain {
            guard found == .unknown, let error = next else { break }
            // Not `localizedDescription`: on Linux it ends the process for some numbers of the system.
            let text = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
            found = Self.code(domain: error.domain, number: error.code, text: text, system: system)
            next = error.userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error }.map { $0 as NSError }
        }
        code = found == .cancelled ? .networkConnectionLost : found
        isOriginal = error.domain == NSURLErrorDomain && error.code == code.rawValue
    }

    /// Returns the code for an error of one domain; `unknown` if no code describes it.
    static func code(domain: String, number: Int, text: String, system: System) -> URLError.Code {
        switch (domain, system) {
        case (NSURLErrorDomain, .darwin): URLError.Code(rawValue: number) as URLError.Code? ?? .unknown
        case (NSURLErrorDomain, .other):
            codeOnLinux(URLError.Code(rawValue: number) as URLError.Code? ?? .unknown, text: text)
        case (NSPOSIXErrorDomain, .darwin): SocketFailure(numberOnDarwin: number)?.urlErrorCode ?? .unknown
        case (NSPOSIXErrorDomain, .other): CInt(exactly: number).flatMap(SocketFailure.init)?.urlErrorCode ?? .unknown
        case (networkDomain, _): networkCode(number)
        default: .unknown
        }
    }

    /// Returns the code for an error of CFNetwork (`CFNetworkErrors.h`).
    ///
    /// ``NIOTransport`` uses the same code for the same event.
    private static func networkCode(_ number: Int) -> URLError.Code {
        switch number {
        // kCFHostErrorHostNotFound, kCFHostErrorUnknown
        case 1, 2: .cannotFindHost
        // kCFSOCKS5ErrorBadCredentials, kCFSOCKS5ErrorNoAcceptableMethod, kCFErrorHTTPBadProxyCredentials,
        // kCFErrorPACFileAuth
        case 122, 124, 307, 309: .userAuthenticationRequired
        // The other errors of SOCKS.
        case 100...101, 110...113, 120...123: .cannotConnectToHost
        // kCFErrorHTTPAuthenticationTypeUnsupported, kCFErrorHTTPBadCredentials
        case 300, 301: .userAuthenticationRequired
        // kCFErrorHTTPConnectionLost
        case 302: .networkConnectionLost
        // kCFErrorHTTPParseFailure
        case 303: .cannotParseResponse
        // kCFErrorHTTPRedirectionLoopDetected
        case 304: .httpTooManyRedirects
        // kCFErrorHTTPBadURL
        case 305: .badURL
        // kCFErrorHTTPProxyConnectionFailure, kCFErrorPACFileError, kCFErrorHTTPSProxyConnectionFailure
        case 306, 308, 310: .cannotConnectToHost
        // kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod
        case 311: .badServerResponse
        // kCFURLErrorUnknown
        case -998: .unknown
        // The numbers of NSURLErrorDomain.
        case ...(-995): URLError.Code(rawValue: number) as URLError.Code? ?? .unknown
        default: .unknown
        }
    }

    /// Returns the actual code, since Foundation on Linux gives several errors of libcurl a misleading code.
    ///
    /// libcurl's text distinguishes them.
    private static func codeOnLinux(_ code: URLError.Code, text: String) -> URLError.Code {
        func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }
        switch code {
        case .badServerResponse where says("Empty reply"):
            return .networkConnectionLost
        case .unknown where says("transfer closed", "Recv failure", "Send failure", "reset by peer"):
            return .networkConnectionLost
        case .unknown where says("content unencoding", "content encoding"):
            return .cannotDecodeContentData
        case .unknown where says("certificate"):
            return .serverCertificateUntrusted
        case .unknown where says("SSL", "TLS"):
            return .secureConnectionFailed
        case .unknown where says("Out of memory", "header"):
            return .cannotParseResponse
        // The scheme of the URL has been checked before, so the response is unsupported.
        case .unsupportedURL where says("HTTP version", "HTTP/0.9"):
            return .cannotParseResponse
        default:
            return code
        }
    }
}

extension URLError {
    /// Creates an error in the common form from an error of URLSession.
    ///
    /// The result has the information of URLSession's error, without user names and passwords, and URLSession's error under
    /// `NSUnderlyingErrorKey`. On Apple's platforms it also has URLSession's text, which is localized, unlike the text of libcurl
    /// on Linux.
    ///
    /// - Parameters:
    ///   - error: The error of URLSession.
    ///   - url: The URL of the request.
    ///   - isShutDown: Whether the transport has been shut down, which cancels its tasks.
    ///   - system: The system that the URLSession belongs to.
    init(
        urlSessionError error: any Error,
        url: URL?,
        isShutDown: Bool = false,
        system: URLSessionErrorCode.System = .current
    ) {
        let plain = error as NSError
        if isShutDown, plain.domain == NSURLErrorDomain, plain.code == NSURLErrorCancelled {
            self = .cancelledByShutdown(url: url)
            return
        }
        let code = URLSessionErrorCode(plain, system: system)
        let info = Self.withoutCredentials(plain.userInfo)
        let keepsText = system == .darwin && (code.isOriginal || plain.domain != NSURLErrorDomain)
        let made = Self.make(
            code.code,
            url: url,
            reason: keepsText ? info[NSLocalizedDescriptionKey] as? String : nil,
            cause: Self.withoutCredentials(error)
        )
        // On Apple's platforms URLSession's error has other keys, such as the reason why there is no network.
        self.init(code.code, userInfo: info.merging(made.userInfo) { _, made in made })
    }

    /// Returns an error without the user name and password that URLSession includes in URLs.
    private static func withoutCredentials(_ error: any Error, depth: Int = 0) -> any Error {
        let plain = error as NSError
        let info = withoutCredentials(plain.userInfo, depth: depth)
        // On Linux, an NSError of this domain is not a URLError, and the initializer may fail.
        if plain.domain == NSURLErrorDomain, let code = URLError.Code(rawValue: plain.code) as URLError.Code? {
            return URLError(code, userInfo: info)
        }
        let hasURL = [NSURLErrorFailingURLErrorKey, failingURLStringKey].contains { plain.userInfo[$0] != nil }
        return hasURL ? NSError(domain: plain.domain, code: plain.code, userInfo: info) : error
    }

    private static func withoutCredentials(_ info: [String: Any], depth: Int = 0) -> [String: Any] {
        var info = info
        info[failingURLStringKey] = nil
        info[NSURLErrorFailingURLErrorKey] = (info[NSURLErrorFailingURLErrorKey] as? URL)?.withoutCredentials
        if let cause = info[NSUnderlyingErrorKey] as? any Error {
            info[NSUnderlyingErrorKey] = depth < deepestCause ? withoutCredentials(cause, depth: depth + 1) : nil
        }
        return info
    }

    /// The depth to which underlying errors are kept.
    private static let deepestCause = 8

    /// The deprecated variant of `NSURLErrorFailingURLErrorKey`.
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"
}
