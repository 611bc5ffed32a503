import Foundation

/// A defect of the open-source Foundation: a response ends the process if its head is cut off, or if it has trailers.
///
/// Foundation traps at the end of such a transfer. No delegate, URL protocol or setting prevents it: libcurl reports the end to
/// Foundation without an error. Swift 6.4 has the correction (swift-corelibs-foundation, 5286).
enum FoundationDefect {
    /// Whether this Foundation has the defect.
    static var isPresent: Bool {
        #if canImport(FoundationNetworking) && compiler(<6.4)
        true
        #else
        false
        #endif
    }

    /// The value of ``URLSessionTransport/acceptsTermination``.
    static let isAccepted = Locked(false)

    /// Returns the error for a request that could end the process.
    ///
    /// A request that a class of the application handles cannot end it, because libcurl does not send that request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - classes: The `protocolClasses` of the configuration.
    /// - Returns: The error; `nil` if the request may be sent.
    static func refusal(of request: URLRequest, handledBy classes: [AnyClass]?) -> TransportConfigurationError? {
        // Foundation selects the handler in the same way.
        let handler: AnyClass? = (classes ?? []).first { ($0 as? URLProtocol.Type)?.canInit(with: request) == true }
        let own = URLSessionConfiguration.default.protocolClasses ?? []
        if let handler, !own.contains(where: { $0 == handler }) { return nil }
        return .unsafe(
            transport: "URLSessionTransport",
            reason: "On Linux before Swift 6.4, URLSession ends the process if a server cuts off the head of a "
                + "response or sends trailers. Enable the package trait NIO, update Swift, or set "
                + "URLSessionTransport.acceptsTermination if you trust all servers."
        )
    }
}
