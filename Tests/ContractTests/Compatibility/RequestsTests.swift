import Foundation
import Moya
import Testing

@Suite("Earlier names for downloads and encodings are available")
struct RequestsTests {
    struct Names: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let options: DownloadRequest.DownloadOptions = [.removePreviousFile]
            let destination: DownloadRequest.DownloadFileDestination = { url, _ in (url, options) }
            #expect(destination(Shop.head.url!, Shop.head).options == options)
            let suggested = DownloadRequest.suggestedDownloadDestination(for: .documentDirectory, with: .userDomainMask)
            #expect(suggested(Shop.head.url!, Shop.head).options == [])
            _ = PinnedCertificatesTrustEvaluator(certificates: Bundle.main.af.certificates)
            _ = PublicKeysTrustEvaluator(keys: Bundle.main.af.publicKeys)
            #expect(Bundle.main.af.certificates.count >= Bundle.main.af.publicKeys.count)
            if case .methodDependent = URLEncoding.methodDependent.destination {} else { Issue.record("another") }
        }
    }

    @Test(
        "DownloadOptions, DownloadFileDestination, suggestedDownloadDestination(for:with:), methodDependent and Bundle.af exist"
    )
    func names() throws { try check(Names()) }
}
