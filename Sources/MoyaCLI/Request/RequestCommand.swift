import ArgumentParser
import Foundation
import Moya

/// An HTTP method as a type, the parameter of a ``RequestCommand``.
protocol CommandMethod: Sendable {
    static var method: HTTPMethod { get }
}

enum GetMethod: CommandMethod { static let method = HTTPMethod.get }
enum PostMethod: CommandMethod { static let method = HTTPMethod.post }
enum PutMethod: CommandMethod { static let method = HTTPMethod.put }
enum PatchMethod: CommandMethod { static let method = HTTPMethod.patch }
enum DeleteMethod: CommandMethod { static let method = HTTPMethod.delete }
enum HeadMethod: CommandMethod { static let method = HTTPMethod.head }

/// The commands `moya-cli get`, `post`, `put`, `patch`, `delete` and `head`.
struct RequestCommand<Kind: CommandMethod>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Kind.method.rawValue.lowercased(),
            abstract: "Send a \(Kind.method.rawValue) request through a session.",
            discussion: """
                Prints each request (>) and response (<) with its headers, redirects, retries and the actions of the cache, \
                then the body and the time. Credentials in headers and URLs are masked, unless --secrets is given; the body \
                is not masked.

                The exit status is 0 for a response with a status below 400, otherwise 1.
                """
        )
    }

    @OptionGroup var arguments: RequestArguments

    func run() async throws {
        let arguments = arguments
        let isSuccess = try await Interrupt.cancelOnSignal {
            try await arguments.run(Kind.method) { print($0) }
        }
        guard isSuccess else { throw ExitCode.failure }
    }
}

/// The arguments of a request.
struct RequestArguments: ParsableArguments, Sendable {
    @Argument(help: "An absolute http or https URL.", transform: RequestURL.init(argument:))
    var url: RequestURL

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("Add a header. This option and the next three may be repeated.", valueName: "name: value"),
        transform: HeaderArgument.init(argument:)
    )
    var header: [HeaderArgument] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Add a parameter to the URL's query.", valueName: "name=value"))
    var query: [FieldArgument] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Add a member to a JSON body: a text, or any JSON after :=, as in age:=7.",
            valueName: "name=text"
        )
    )
    var json: [JSONArgument] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Add a field to a form.", valueName: "name=value"))
    var form: [FieldArgument] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Send this text, or the content of a file.", valueName: "text | @file")
    )
    var body: String?

    @Flag(inversion: .prefixedNo, help: "Follow redirects.")
    var redirects = true

    @Option(help: ArgumentHelp("Retry after transient failures, at most this number of times.", valueName: "count"))
    var retries: UInt = 0

    @Option(help: ArgumentHelp("Fail if no bytes arrive for this time.", valueName: "seconds"))
    var timeout: Double = 60

    @Option(
        help: ArgumentHelp("Use a cache in this directory, which `moya-cli cache` shows.", valueName: "directory"),
        completion: .directory
    )
    var cache: String?

    @Option(
        help: ArgumentHelp("Record the exchanges in this HAR file, which `moya-cli har` shows.", valueName: "file"),
        completion: .file()
    )
    var har: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write the body to this file without changes.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Show the times of each exchange: DNS, connection, TLS, request and response.")
    var timing = false

    @Flag(help: "Show credentials in headers and URLs.")
    var secrets = false

    func validate() throws {
        guard [!json.isEmpty, !form.isEmpty, body != nil].filter({ $0 }).count <= 1 else {
            throw ValidationError("Give one of --json, --form and --body: a request has one body.")
        }
        guard timeout > 0, timeout < 1e9 else {
            throw ValidationError("The timeout must be a positive number of seconds.")
        }
        guard Set(json.map(\.name)).count == json.count else {
            throw ValidationError("Two members of the JSON body have the same name.")
        }
    }

    /// Sends the request, and returns whether the response has a status below 400.
    ///
    /// `write` receives each line.
    func run(_ method: HTTPMethod, write: @escaping @Sendable (String) -> Void) async throws -> Bool {
        var options = RequestRun.Options()
        options.followsRedirects = redirects
        options.retryLimit = retries
        options.timeout = timeout
        options.cache = cache.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.har = har.map { URL(fileURLWithPath: $0) }
        options.output = output.map { URL(fileURLWithPath: $0) }
        options.showsSecrets = secrets
        options.showsTimes = timing
        return try await RequestRun(request: urlRequest(method), options: options, write: write).run()
    }

    /// The request that the arguments describe.
    func urlRequest(_ method: HTTPMethod) throws -> URLRequest {
        var request = URLRequest(url: try url.adding(query))
        request.httpMethod = method.rawValue
        if !json.isEmpty {
            request.httpBody = Data("{\(json.map(\.member).joined(separator: ","))}".utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        } else if !form.isEmpty {
            request.httpBody = Data(form.map(\.encoded).joined(separator: "&").utf8)
            request.setValue("application/x-www-form-urlencoded; charset=utf-8", forHTTPHeaderField: "Content-Type")
        } else if let body {
            request.httpBody = try Self.content(of: body)
        }
        // Headers are set after the default content type, so that a header can replace it.
        var isSet: Set<String> = []
        for header in header {
            // The first header with a name replaces a default; further headers with the name are added.
            if isSet.insert(header.name.lowercased()).inserted {
                request.setValue(header.value, forHTTPHeaderField: header.name)
            } else {
                request.addValue(header.value, forHTTPHeaderField: header.name)
            }
        }
        return request
    }

    private static func content(of body: String) throws -> Data {
        guard body.hasPrefix("@") else { return Data(body.utf8) }
        let file = String(body.dropFirst())
        do {
            return try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw ValidationError("The file \(TerminalText(file).text) can't be read.")
        }
    }
}
