import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("Extensions restrict the use of a certificate")
struct CertificateConstraintsTests {
    private static func constraints(_ change: (inout TestCertificate.Extensions) -> Void) throws
        -> CertificateConstraints
    {
        let extensions = TestCertificate.Extensions().with(change)
        let certificate = try Certificate(der: TestCertificate("One", extensions).der)
        return try #require(CertificateConstraints(certificate))
    }

    @Test("a server's certificate needs no extension, and no extension may forbid its use")
    func server() throws {
        #expect(try Self.constraints { _ in }.rejectionAsServer == nil)
        #expect(try Self.constraints { $0.isForServers = true }.rejectionAsServer == nil)
        #expect(try Self.constraints { $0.isForServers = false }.rejectionAsServer == .wrongUsage)
        #expect(try Self.constraints { $0.signsCertificates = false }.rejectionAsServer == nil)
        #expect(try Self.constraints { $0.signsCertificates = true }.rejectionAsServer == .wrongUsage)
        #expect(
            try Self.constraints { $0.hasUnknownCriticalExtension = true }.rejectionAsServer
                == .unknownCriticalExtension("1.2.3.4")
        )
    }

    @Test("an issuer of a certificate must be an authority whose path length suffices")
    func issuer() throws {
        func rejection(
            below: Int = 0,
            _ change: (inout TestCertificate.Extensions) -> Void
        ) throws -> ServerTrustError.Reason? {
            try Self.constraints(change).rejectionAsIssuer(issuersBelow: below)
        }
        #expect(try rejection { _ in } == .issuerIsNotAuthority)
        #expect(try rejection { $0.isAuthority = false } == .issuerIsNotAuthority)
        #expect(try rejection { $0.isAuthority = true } == nil)
        #expect(try rejection { ($0.isAuthority, $0.signsCertificates) = (true, false) } == .issuerIsNotAuthority)
        #expect(try rejection(below: 9) { ($0.isAuthority, $0.signsCertificates) = (true, true) } == nil)
        #expect(try rejection { ($0.isAuthority, $0.isForServers) = (true, false) } == .wrongUsage)
        #expect(try rejection(below: 0) { ($0.isAuthority, $0.pathLength) = (true, 0) } == nil)
        #expect(try rejection(below: 1) { ($0.isAuthority, $0.pathLength) = (true, 0) } == .pathTooLong(maximum: 0))
        #expect(try rejection(below: 300) { ($0.isAuthority, $0.pathLength) = (true, 300) } == nil)
        #expect(
            try rejection(below: 301) { ($0.isAuthority, $0.pathLength) = (true, 300) } == .pathTooLong(maximum: 300)
        )
    }

    @Test("a root certificate is an authority, has version 1, or has a key only for signing certificates")
    func root() throws {
        #expect(try Self.constraints { $0.isAuthority = true }.canBeRoot)
        #expect(try Self.constraints { $0.signsCertificates = true }.canBeRoot)
        #expect(try !Self.constraints { _ in }.canBeRoot)
        #expect(try !Self.constraints { $0.isAuthority = false }.canBeRoot)
        #expect(try !Self.constraints { ($0.isAuthority, $0.signsCertificates) = (false, true) }.canBeRoot)
        var first = CertificateConstraints()
        first.hasVersion = false
        #expect(first.canBeRoot)
    }
}
