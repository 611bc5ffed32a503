import Hummingbird
import Moya
import MoyaObservability

@main
struct App {
    static func main() async throws {
        // The backends of metrics and traces are set up here, for example by OTel.bootstrap() of swift-otel.
        let environment = Environment()
        let gitHub = MoyaProvider<GitHub>(
            endpointClosure: MoyaProvider.endpoints(at: environment.get("GITHUB_URL").flatMap { URL(string: $0) }),
            session: .gitHub()
        )
        let address = BindAddress.hostname("127.0.0.1", port: environment.get("PORT", as: Int.self) ?? 8080)
        try await application(gitHub: gitHub, address: address).runService()
    }

    /// Creates the application, which tests give a provider with scripted responses.
    static func application(
        gitHub: MoyaProvider<GitHub>,
        address: BindAddress = .hostname("127.0.0.1", port: 0)
    ) -> some ApplicationProtocol {
        let router = Router()
        // The service's span is the parent of the spans of the requests to GitHub.
        router.add(middleware: TracingMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: LogRequestsMiddleware(.info))
        router.add(middleware: UpstreamErrors())
        let profiles = Profiles(provider: gitHub)
        router.get("profiles/:login") { _, context in
            let login = try context.parameters.require("login")
            // Other characters could lead to another path of the API.
            guard login.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
                throw HTTPError(.badRequest, message: "A login has letters, digits and hyphens.")
            }
            // On an event loop, the requests to GitHub wake no other thread.
            return try await withTaskExecutorPreference(gitHub.session.taskExecutors.randomElement()) {
                try await profiles.profile(of: login)
            }
        }
        router.get("ready") { _, _ -> HTTPResponse.Status in
            gitHub.session.status.phase == .open ? .ok : .serviceUnavailable
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: address),
            // The server stops first, because it is the last service of the application.
            services: [SessionService(gitHub.session, grace: .seconds(5))]
        )
    }
}

extension Profile: ResponseEncodable {}
