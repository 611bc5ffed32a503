import Foundation
import Moya

/// A provider whose requests all say for whom they are.
///
/// It shows how to override ``MoyaProvider/endpoint(_:)``, which every request, live or stubbed, asks once.
public final class TenantProvider<Target: TargetType>: MoyaProvider<Target> {
    private let tenant: String

    /// Makes a provider.
    public init(
        tenant: String,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        plugins: [PluginType] = []
    ) {
        self.tenant = tenant
        super.init(stubClosure: stubClosure, plugins: plugins)
    }

    override public func endpoint(_ token: Target) -> Endpoint {
        return super.endpoint(token).adding(newHTTPHeaderFields: ["X-Tenant": tenant])
    }
}
