import Moya

@main
struct Octo {
    static func main() async throws {
        print("octo is ready.")
    }
}
