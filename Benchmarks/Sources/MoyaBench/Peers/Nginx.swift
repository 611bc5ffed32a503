import Foundation
import Workloads

/// nginx, with the small requests of the benchmarks.
///
/// It is one process with one thread, so that each client gets the same server, however its connections would be
/// distributed among several.
final class Nginx: Sendable {
    /// The versions of HTTP that the server is asked in.
    enum Version: String, CaseIterable {
        case http1 = "HTTP/1.1"
        case https1 = "HTTPS"
        case http2 = "HTTP/2"
    }

    /// The path of the certificate.
    let certificate: String

    private let folder: URL
    private let ports: [Int]
    private let process: ChildProcess
    private let statistics: String

    /// Starts the server on free loopback ports.
    init(program: String = "nginx") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("moya-bench-nginx-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appendingPathComponent("certificate.pem").path
        try Self.makeCertificate(in: folder)
        ports = try FreePorts.find(Version.allCases.count)
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(Self.configuration(ports).utf8).write(to: file)
        // nginx does not read its standard input, so that a shell ends it.
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

    /// The URL for a version.
    func base(_ version: Version) -> String {
        let port = ports[Version.allCases.firstIndex(of: version) ?? 0]
        return version == .http1 ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"
    }

    /// The processor time of the server in seconds; 0 where the system does not tell.
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

    /// Whether the body of a POST is read before the response is sent.
    static var readsBodies: Bool { FileManager.default.fileExists(atPath: echoModule) }

    private static func configuration(_ ports: [Int]) -> String {
        let user = String(decoding: User.json, as: UTF8.self)
        return """
            \(readsBodies ? "load_module \(echoModule);" : "")
            daemon off;
            master_process off;
            pid nginx.pid;
            events { worker_connections 8192; }
            http {
                access_log off;
                default_type application/json;
                keepalive_timeout 1h;
                keepalive_requests 1000000000;
                http2_max_concurrent_streams 2048;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(ports[0]) backlog=4096;
                    listen 127.0.0.1:\(ports[1]) ssl backlog=4096;
                    listen 127.0.0.1:\(ports[2]) ssl http2 backlog=4096;
                    ssl_certificate certificate.pem;
                    ssl_certificate_key key.pem;
                    location = /user { return 200 '\(user)'; }
                    location = /answer { return 200 '\(user)'; }
                    location = /echo { \(readsBodies ? "echo_read_request_body; echo_exec /answer" : "return 200 '\(user)'"); }
                }
            }

            """
    }
}

/// Loopback ports.
enum FreePorts {
    /// Returns ports on which nothing listens.
    static func find(_ count: Int) throws -> [Int] {
        let sockets = (0..<count).map { _ in socket(AF_INET, streamType, 0) }
        defer { for socket in sockets { close(socket) } }
        return try sockets.map { socket in
            var address = loopback(port: 0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
            guard result else { throw BenchFailure("There is no free port.") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// Returns whether something listens on a port.
    static func isListening(_ port: Int) -> Bool {
        let client = socket(AF_INET, streamType, 0)
        defer { close(client) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }
}
