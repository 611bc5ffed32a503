import Moya

@main
struct Octo {
    static let usage = """
        usage: octo user LOGIN
               octo repos LOGIN
               octo issue OWNER REPOSITORY TITLE
               octo whoami
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let command = Command(arguments: arguments) else { fail(usage) }
        let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
        do {
            let client = Client(token: token)
            print(try await command.output(of: client))
        } catch MoyaError.underlying(let failure as APIFailure, _) {
            fail(failure.message)
        } catch {
            fail(error.localizedDescription)
        }
    }

    static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(1)
    }
}
