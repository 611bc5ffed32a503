import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// Brings URLSession's own error into the one shape, and its Linux variants to the codes of Apple's platforms.
    init(urlSessionError error: any Error, url: URL?) {
        let code = (error as? URLError)?.code ?? .unknown
        self = .exchange(code, url: url, cause: error)
    }
}
