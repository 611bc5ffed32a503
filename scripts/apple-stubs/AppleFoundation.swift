// Foundation as it is on Apple's platforms: one module, and with what the one for Linux lacks.
@_exported import CoreFoundationStub
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import ObjectiveC
@_exported import Security

// Not `Sendable`, so that a capture of one is found.
@available(*, unavailable)
extension Stream: @unchecked @retroactive Sendable {}

extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: AutoreleasingUnsafeMutablePointer<InputStream?>?,
        outputStream: AutoreleasingUnsafeMutablePointer<OutputStream?>?
    ) { fatalError() }
}

public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

extension URLCredential {
    public convenience init(trust: SecTrust) { fatalError() }
    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) { fatalError() }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { fatalError() }
}
