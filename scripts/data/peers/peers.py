"""Starts the HTTP servers that scripts/check/peers and scripts/check/soak need."""
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEN_MEBIBYTES = 10 << 20


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def make_certificates(folder):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *new_key, "-keyout", "authority.key", "-out", "authority.pem", "-days", "2",
            "-subj", "/CN=Authority of scripts", "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-new", *new_key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "extensions").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", "extensions", "-out", "server.pem")


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.processes = []

    def start(self, arguments, **options):
        log = open(self.folder / f"log-{len(self.processes)}", "wb")
        process = subprocess.Popen(arguments, stderr=log, cwd=self.folder, **{"stdout": log, **options})
        self.processes.append(process)
        return process

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def wait_for(self, port, process, name):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if process.poll() is not None:
                break
            try:
                context = ssl.create_default_context(cafile=self.folder / "authority.pem")
                context.set_alpn_protocols(["h2"])
                with socket.create_connection(("127.0.0.1", port), 1) as plain:
                    with context.wrap_socket(plain, server_hostname="localhost"):
                        return
            except OSError:
                time.sleep(0.05)
        logs = [path.read_text(errors="replace") for path in sorted(self.folder.glob("log-*"))]
        raise SystemExit(f"{name} did not start:\n" + "\n".join(text for text in logs if text))

    def go(self):
        """Starts the server over net/http, once. Returns its ports with and without TLS."""
        if not hasattr(self, "go_ports"):
            program = self.folder / "go-server"
            environment = {**os.environ, "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
            subprocess.run(["go", "build", "-o", program, ROOT / "scripts/data/peers/server.go"], check=True, cwd=self.folder,
                           env=environment)
            process = self.start([program, "server.pem", "server.key"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 text=True)
            self.go_ports = [int(port) for port in process.stdout.readline().split()]
        return self.go_ports


def start_nginx(run):
    _, plain = run.go()
    main, short, impatient, narrow, soak = free_ports(5)
    common = "ssl_certificate server.pem; ssl_certificate_key server.key;"
    locations = """
        location = /ok { return 200 "$server_protocol"; }
        location = /none { return 404; }
        location = /status/204 { return 204; }
        location = /early/413 { client_max_body_size 1k; proxy_pass http://application; }
        location = /early/401 { auth_basic "peers"; auth_basic_user_file users; proxy_pass http://application; }
        location = /limited { limit_req zone=limited burst=50 nodelay; proxy_pass http://application/once; }
        location / { proxy_pass http://application; }
    """
    servers = "".join(
        f"server {{ listen 127.0.0.1:{port} ssl http2 backlog=4096; {common} {extra} {locations} }}\n"
        for port, extra in [
            (main, ""),
            (short, "keepalive_requests 3;"),
            (impatient, "keepalive_timeout 1s;"),
            (narrow, "http2_max_concurrent_streams 4;"),
            (soak, "keepalive_requests 3; keepalive_timeout 1s;"),
        ]
    )
    (run.folder / "users").write_text("")
    (run.folder / "nginx.conf").write_text(f"""
        daemon off; master_process on; worker_processes 1; pid nginx.pid; error_log nginx.log; worker_shutdown_timeout 20s;
        worker_rlimit_nofile 16384;
        {"user root;" if os.getuid() == 0 else ""}
        events {{ worker_connections 8192; }}
        http {{
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            client_max_body_size 64m; large_client_header_buffers 8 64k;
            proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffer_size 64k; proxy_buffers 8 64k;
            proxy_busy_buffers_size 128k; proxy_next_upstream off;
            limit_req_zone $binary_remote_addr zone=limited:1m rate=50r/s;
            upstream application {{ server 127.0.0.1:{plain}; }}
            {servers}
        }}
    """)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    process = run.start([nginx, "-p", run.folder, "-c", run.folder / "nginx.conf"])
    run.wait_for(main, process, "nginx")
    urls = {"main": main, "short": short, "impatient": impatient, "narrow": narrow, "soak": soak}
    return urls, ["--reload", str(process.pid)]


def start_nghttpd(run):
    (run.folder / "files/bytes").mkdir(parents=True)
    (run.folder / "files/ok").write_text("ok")
    pattern = bytes(range(251))
    (run.folder / f"files/bytes/{TEN_MEBIBYTES}").write_bytes((pattern * (TEN_MEBIBYTES // 251 + 1))[:TEN_MEBIBYTES])
    [port] = free_ports(1)
    process = run.start(["nghttpd", "--address=127.0.0.1", "-d", "files", "--echo-upload", "--trailer=x-checksum: 1",
                         str(port), "server.key", "server.pem"])
    run.wait_for(port, process, "nghttpd")
    return {"main": port}, []


def start_go(run):
    port, _ = run.go()
    return {"main": port}, []


def start_hypercorn(run):
    [port] = free_ports(1)
    (run.folder / "hypercorn.toml").write_text(
        f'bind = ["127.0.0.1:{port}"]\ncertfile = "server.pem"\nkeyfile = "server.key"\n'
        "h11_max_incomplete_size = 131072\nh2_max_concurrent_streams = 100\nbacklog = 1024\n"
    )
    shutil.copy(ROOT / "scripts/data/peers/app.py", run.folder)
    process = run.start([sys.executable, "-m", "hypercorn", "-c", "hypercorn.toml", "app:app"])
    run.wait_for(port, process, "hypercorn")
    return {"main": port}, []


START = {"nginx": start_nginx, "nghttpd": start_nghttpd, "go": start_go, "hypercorn": start_hypercorn}


def missing(peers):
    needed = {"nginx": ["nginx", "go"], "nghttpd": ["nghttpd"], "go": ["go"], "hypercorn": []}
    programs = {"openssl"} | {program for peer in peers for program in needed[peer]}
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    absent = sorted(program for program in programs if not shutil.which(program, path=path))
    if "hypercorn" in peers:
        try:
            import hypercorn, h2  # noqa: F401
        except ImportError as error:
            absent.append(f"Python's {error.name}")
    return absent
