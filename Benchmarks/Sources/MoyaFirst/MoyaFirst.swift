import Foundation
import Moya
import Workloads

/// Sends one GET request, and prints a part of the response.
///
///     moya-first https://localhost:8443 certificate.pem
@main
struct MoyaFirst {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let base = URL(string: arguments[1]) else {
            print("usage: moya-first URL CERTIFICATE")
            exit(2)
        }
        do {
            let roots = try Certificate.certificates(contentsOf: URL(fileURLWithPath: arguments[2]))
            let trust = ServerTrustManager(trustedRoots: roots, includesSystemRoots: false)
            let provider = MoyaProvider<BenchTarget>(session: Session(serverTrustManager: trust))
            let response = try await provider.request(BenchTarget(.user, at: base))
            print(try response.map(User.self).login)
        } catch {
            print(error)
            exit(1)
        }
    }
}
