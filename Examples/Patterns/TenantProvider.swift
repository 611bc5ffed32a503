import Foundation
import Moya

/// A provider that adds a tenant to all requests.
///
/// The example shows how to override ``MoyaProvider/endpoint(_:)``, which is called once for every request, live or stubbed.
public final class TenantProvider<Target: TargetType>: MoyaProvider<Target> {
    private let tenant: String

    /// Creates a provider.
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
