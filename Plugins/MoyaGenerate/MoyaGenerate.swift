import Foundation
import PackagePlugin

/// The command `swift package moya-generate`, which passes its arguments to `moya-cli openapi`.
///
/// The plugin builds moya-cli when it runs. If it depended on moya-cli, SwiftPM would fetch the packages of moya-cli for each application
/// that depends on Moya.
@main
struct MoyaGenerate: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        guard let moya = package(named: "Moya", from: context.package) else { throw GenerationFailure.noMoya }
        let folder = context.pluginWorkDirectoryURL.appendingPathComponent("moya-cli")
        if !FileManager.default.fileExists(atPath: folder.path) {
            print("Building moya-cli. The first time takes some minutes.")
        }
        let swift = try context.tool(named: "swift").url
        // The generator needs no traits. The plugin may run in a sandbox, which cannot have another one inside.
        let build = [
            "build", "--package-path", moya.directoryURL.path, "--scratch-path", folder.path, "--product", "moya-cli",
            "--disable-default-traits", "--disable-sandbox", "--quiet",
        ]
        try run(swift, build, in: context.package.directoryURL)
        let moyaCLI = folder.appendingPathComponent("debug/moya-cli")
        try run(moyaCLI, ["openapi"] + arguments, in: context.package.directoryURL)
    }

    /// Returns a package, or one of its direct and indirect dependencies, by its name.
    private func package(named name: String, from root: Package) -> Package? {
        var packages = [root]
        var visited: Set<Package.ID> = []
        while let package = packages.popLast() {
            if package.displayName == name { return package }
            guard visited.insert(package.id).inserted else { continue }
            packages += package.dependencies.map(\.package)
        }
        return nil
    }

    /// Runs a program in a folder, and throws if it fails.
    private func run(_ program: URL, _ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // With random hashing, each run of SwiftPM writes the traits in another order, and compiles anew.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw GenerationFailure.status(of: program.lastPathComponent, process.terminationStatus)
        }
    }
}

/// The reason why the plugin has failed.
enum GenerationFailure: Error, CustomStringConvertible {
    case noMoya
    case status(of: String, Int32)

    var description: String {
        switch self {
        case .noMoya: "The package does not depend on Moya."
        case .status(let program, let status): "\(program) has ended with the status \(status)."
        }
    }
}
