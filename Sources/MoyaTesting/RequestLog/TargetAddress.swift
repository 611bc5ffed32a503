import Foundation
import Moya

/// The method and URL of a target's request.
struct TargetAddress: Equatable, Sendable {
    let method: HTTPMethod
    let url: URL

    /// Creates the address of a target; the URL includes the parameters of the target's task, unless their encoding fails.
    init(_ target: some TargetType) {
        let request = try? MoyaProvider.defaultEndpointMapping(for: target).urlRequest()
        method = target.method
        url = request?.url ?? URL(target: target)
    }

    init(_ request: TransportRequest) {
        method = request.method
        url = request.url
    }
}

extension TargetType {
    /// Returns whether another target is the same: by `==`; or by type, method and URL, if this target is not `Equatable` or not equal
    /// to itself.
    func isSame(as other: any TargetType) -> Bool {
        if let own = self as? any Equatable, own.isEqual(to: self) { return own.isEqual(to: other) }
        return type(of: self) == type(of: other) && TargetAddress(self) == TargetAddress(other)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
