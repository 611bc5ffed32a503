import Foundation
import Workloads

/// An nginx server for the small requests of the benchmarks.
///
/// nginx runs as one process with one thread: with several, the distribution of the connections would give one client more of the
/// server than another.
final class Nginx: Sendable {
    /// The versions of HTTP that the server supports.
    enum Version: String, CaseIterable {
        case http1 = "HTTP/1.1"
        case https1 = "HTTPS"
        case http2 = "HTTP/2"
    }

    /// The path of the certificate.
    let certificate: String

    /// The folder with all files of the server.
    let folder: URL

    private let ports: [Int]
    private let process: ChildProcess
    private let statistics: String

    /// Starts the server on free loopback ports.
    ///
    /// - Parameters:
    ///   - program: The program, which is looked up in the search path.
    ///   - addresses: The number of loopback addresses on which it serves HTTP/1.1.
    /// - Throws: ``BenchFailure`` if it does not start.
    init(program: String = "nginx", addresses: Int = 1) throws {
        Self.raiseFileLimit()
        let memory = URL(fileURLWithPath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        folder = parent.appendingPathComponent("moya-bench-nginx-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appendingPathComponent("certificate.pem").path
        try Self.makeCertificate(in: folder)
        ports = try FreePorts.find(Version.allCases.count)
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(Self.configuration(ports, addresses: addresses, folder.path).utf8).write(to: file)
        // nginx does not read its standard input, so a shell ends it with this process.
        let script = #""$0" -e error.log -p "$1" -c nginx.conf & echo $!; cat >/dev/null; kill -9 $!"#
        process = try ChildProcess(["sh", "-c", script, program, folder.path])
        let id = try process.readLine()
        statistics = "/proc/\(id)/schedstat"
        try waitUntilReady()
    }

    deinit {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the URL for a version.
    func base(_ version: Version) -> String {
        let port = ports[Version.allCases.firstIndex(of: version) ?? 0]
        return version == .http1 ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"
    }

    /// Returns the URL for HTTP/1.1 on a number of addresses, each of which is a separate origin.
    func base(origins: Int) -> String { "http://127.0.0.[1-\(origins)]:\(ports[0])" }

    /// Adds a file for downloads at `/bytes/SIZE`.
    func addFile(size: Int64) throws {
        let bytes = folder.appendingPathComponent("bytes")
        try FileManager.default.createDirectory(at: bytes, withIntermediateDirectories: true)
        let file = bytes.appendingPathComponent("\(size)")
        if !FileManager.default.fileExists(atPath: file.path) { try Self.makeFile(file, size: size) }
    }

    /// Writes a file of the given size.
    static func makeFile(_ file: URL, size: Int64) throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw BenchFailure("\(file.path) can't be written.")
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let piece = Data(repeating: 0x5A, count: 1_048_576)
        var left = size
        while left > 0 {
            try handle.write(contentsOf: piece.prefix(Int(min(left, Int64(piece.count)))))
            left -= Int64(piece.count)
        }
    }

    /// Raises the number of open files of this process and its children to the maximum of the system.
    private static func raiseFileLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The processor time of the server in seconds; 0 if the system does not provide it.
    var processorTime: Double {
        let text = (try? String(contentsOfFile: statistics, encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }

    private func waitUntilReady() throws {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if ports.allSatisfy(FreePorts.isListening) { return }
            usleep(10_000)
        }
        let log = folder.appendingPathComponent("error.log")
        let reason = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw BenchFailure("nginx did not start. \(reason)")
    }

    private static func makeCertificate(in folder: URL) throws {
        let arguments =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost "
            + "-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out certificate.pem"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchFailure("openssl made no certificate.") }
    }

    private static let echoModule = "/usr/lib/nginx/modules/ngx_http_echo_module.so"

    /// Whether the server reads the body of a POST before it sends the response.
    static var readsBodies: Bool { FileManager.default.fileExists(atPath: echoModule) }

    private static func configuration(_ ports: [Int], addresses: Int, _ folder: String) -> String {
        let user = String(decoding: User.json, as: UTF8.self)
        let listens = (1...max(1, addresses)).map { "listen 127.0.0.\($0):\(ports[0]) backlog=4096;" }
        return """
            \(readsBodies ? "load_module \(echoModule);" : "")
            daemon off;
            master_process off;
            pid nginx.pid;
            events { worker_connections 20000; }
            http {
                access_log off;
                default_type application/json;
                keepalive_timeout 1h;
                keepalive_requests 1000000000;
                http2_max_concurrent_streams 2048;
                sendfile on;
                client_max_body_size 0;
                client_body_buffer_size 1m;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                    \(listens.joined(separator: "\n        "))
                    listen 127.0.0.1:\(ports[1]) ssl backlog=4096;
                    listen 127.0.0.1:\(ports[2]) ssl http2 backlog=4096;
                    ssl_certificate certificate.pem;
                    ssl_certificate_key key.pem;
                    location /bytes/ { root \(folder); }
                    location = /user { return 200 '\(user)'; }
                    location = /answer { return 200 '\(user)'; }
                    location = /echo { \(readsBodies ? "echo_read_request_body; echo_exec /answer" : "return 200 '\(user)'"); }
                }
            }

            """
    }
}
