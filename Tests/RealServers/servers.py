"""The servers, each with a configuration and a folder of its own, on free ports of 127.0.0.1."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STREAMS = (1, 2, 10, 32)


class Missing(Exception):
    """A program that is not installed."""


class Impossible(Exception):
    """A reason why a server cannot run on this machine."""


class Ports:
    """Free ports, chosen while all of them are bound, so that they differ."""

    def __init__(self):
        self.given = set()

    def take(self, count):
        sockets = []
        ports = []
        while len(ports) < count:
            one = socket.socket()
            one.bind(("127.0.0.1", 0))
            sockets.append(one)
            port = one.getsockname()[1]
            if port not in self.given:
                ports.append(port)
        for one in sockets:
            one.close()
        self.given.update(ports)
        return ports


class Servers:
    def __init__(self, folder, authority):
        self.folder = folder
        self.authority = authority
        self.certificate = authority.path("server.pem")
        self.key = authority.path("server.key")
        self.pair = authority.path("server.pair")
        self.ports = Ports()
        self.addresses = {}
        self.missing = []
        self.skipped = []
        self.processes = []
        self.leftovers = []

    # Starting and stopping

    def start(self, name, program, ports, make, seconds=60, environment=None):
        """Starts a program whose `make` returns its arguments for the ports.

        A port may be taken by another process in the meantime: then others are tried. Returns the ports.
        """
        path = program if os.path.isabs(program) else found(program)
        for _ in range(5):
            chosen = self.ports.take(ports)
            folder = os.path.join(self.folder, name)
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            os.chmod(folder, 0o777)  # some servers read and write it as another user
            log = open(os.path.join(self.folder, name + ".log"), "w+b")
            process = subprocess.Popen(
                [path] + make(folder, *chosen), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=folder, start_new_session=True, preexec_fn=end_with_parent,
                env=dict(os.environ, HOME=folder, **(environment or {})))
            self.processes.append(process)
            if listening(process, chosen, seconds):
                return chosen
            self.processes.remove(process)
            end(process)
        log.seek(0)
        sys.stderr.write("real-servers: %s did not start:\n%s\n" % (
            name, log.read().decode(errors="replace")[-4000:]))
        raise SystemExit(1)

    def stop(self):
        for process in self.processes:
            end(process)
        for path in self.leftovers:
            if os.path.exists(path):
                os.unlink(path)

    def write(self, folder, text, name="configuration"):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(text.rstrip() + "\n")
        return path

    def start_all(self, chosen=None):
        # The others have the port of the origin, and relays those of nginx.
        for name in ("origin", "nginx", "haproxy", "apache", "lighttpd", "caddy", "registry",
                     "varnish", "squid", "dante", "node", "go", "openssl", "relays"):
            if chosen and name not in chosen and name != "origin":
                continue
            try:
                getattr(self, name)()
            except Missing as program:
                self.missing.append("%s: %s is not installed" % (name, program))
            except Impossible as reason:
                self.skipped.append("%s: %s" % (name, reason))

    # The servers

    def origin(self):
        origin, control = self.start("origin", sys.executable, 2, lambda folder, *ports: [
            os.path.join(HERE, "origin.py")] + [str(port) for port in ports])
        self.addresses["origin"] = "http://127.0.0.1:%d" % origin
        self.addresses["origin.control"] = "http://127.0.0.1:%d" % control
        self.addresses["nowhere"] = "https://127.0.0.1:%d" % self.ports.take(1)[0]
        self.origin_port = origin

    def relays(self):
        """Relays in front of nginx, with a control port of their own."""
        if "nginx" not in self.addresses:
            return
        targets = [(name, port_of(self.addresses[name])) for name in ("nginx", "nginx.http1")]
        _, control, *relays = self.start(
            "relays", sys.executable, 2 + len(targets), lambda folder, origin, control, *ports: [
                os.path.join(HERE, "origin.py"), str(origin), str(control)] + [
                "%d=%d" % (port, target) for port, (_, target) in zip(ports, targets)])
        self.addresses["relays.control"] = "http://127.0.0.1:%d" % control
        for port, (name, _) in zip(relays, targets):
            self.addresses["relay." + name] = "https://127.0.0.1:%d" % port

    def nginx(self):
        streams = "".join("""
            server {
                listen 127.0.0.1:%%d ssl http2;
                http2_max_concurrent_streams %d;
                location / { proxy_pass http://origin; }
            }""" % count for count in STREAMS)
        clients = "".join("""
            server {
                listen 127.0.0.1:%%d ssl;
                ssl_protocols %s;
                ssl_client_certificate %s;
                ssl_verify_client on;
                location / { return 200 "known"; }
            }""" % (version, self.authority.certificate) for version in ("TLSv1.2", "TLSv1.3"))

        def make(folder, main, http1, old, new, *others):
            temporary = "".join("%s_temp_path %s/%s;" % (name, folder, name) for name in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            with open(os.path.join(folder, "stored"), "w") as file:
                file.write("stored")
            return ["-p", folder, "-e", folder + "/error", "-c", self.write(folder, """
                daemon off;
                master_process off;
                pid %(folder)s/pid;
                worker_rlimit_nofile 8192;
                events { worker_connections 4000; }
                http {
                    %(temporary)s
                    access_log off;
                    client_max_body_size 64m;
                    ssl_certificate %(certificate)s;
                    ssl_certificate_key %(key)s;
                    upstream origin { server 127.0.0.1:%(origin)d; keepalive 256; }
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_buffering off;
                    server {
                        listen 127.0.0.1:%(main)d ssl http2;
                        listen 127.0.0.1:%(http1)d ssl;
                        location / { return 200 "hello"; }
                        location = /early/200 { return 200 "early"; }
                        location = /early/303 { return 303 /hello; }
                        location = /early/401 { return 401; }
                        location = /early/403 { return 403; }
                        location = /early/404 { return 404; }
                        location = /early/413 { client_max_body_size 1; proxy_pass http://origin; }
                        location = /early/429 { return 429; }
                        location = /stored { root %(folder)s; add_header Cache-Control no-cache; }
                        location /cut/ { proxy_pass http://origin; }
                        location /busy { proxy_pass http://origin; }
                    }
                    server {
                        listen 127.0.0.1:%(old)d ssl;
                        ssl_protocols TLSv1.2;
                        return 200 "old";
                    }
                    server {
                        listen 127.0.0.1:%(new)d ssl;
                        ssl_protocols TLSv1.3;
                        return 200 "new";
                    }
                    %(others)s
                }
                """ % {
                    "folder": folder, "temporary": temporary, "certificate": self.certificate,
                    "key": self.key, "origin": self.origin_port, "main": main, "http1": http1,
                    "old": old, "new": new, "others": (streams + clients) % tuple(others),
                })]

        ports = self.start("nginx", "nginx", 4 + len(STREAMS) + 2, make)
        names = ["", ".http1", ".tls1.2", ".tls1.3"]
        names += [".streams.%d" % count for count in STREAMS]
        names += [".clients.tls1.2", ".clients.tls1.3"]
        self.publish("nginx", names, ports)

    def haproxy(self):
        def make(folder, main, older, newer):
            return ["-db", "-f", self.write(folder, """
                global
                    maxconn 1000
                %(defaults)s
                userlist users
                    user alice insecure-password s3cret
                frontend main
                    bind 127.0.0.1:%(main)d ssl crt %(pair)s alpn h2,http/1.1
                    http-request return status 200 content-type text/plain string early if { path /early/200 }
                    http-request redirect location /hello code 303 if { path /early/303 }
                    http-request auth realm test if { path /early/401 } !{ http_auth(users) }
                    http-request deny deny_status 403 if { path /early/403 }
                    http-request deny deny_status 404 if { path /early/404 }
                    http-request deny deny_status 413 if { path /early/413 }
                    http-request deny deny_status 429 if { path /early/429 }
                    http-request track-sc0 req.hdr(X-Request) table tries if { path /tries }
                    http-request return status 429 hdr Retry-After 1 if { path /tries } { sc_http_req_cnt(0,tries) le 2 }
                    http-request return status 200 content-type text/plain string tried if { path /tries }
                    http-request return status 200 content-type text/plain string hello if { path /hello }
                    default_backend origin
                frontend clients12
                    bind 127.0.0.1:%(older)d ssl crt %(pair)s ca-file %(root)s verify required ssl-max-ver TLSv1.2
                    http-request return status 200 content-type text/plain string known
                frontend clients13
                    bind 127.0.0.1:%(newer)d ssl crt %(pair)s ca-file %(root)s verify required ssl-min-ver TLSv1.3
                    http-request return status 200 content-type text/plain string known
                backend tries
                    stick-table type string len 64 size 10k expire 60s store http_req_cnt
                backend origin
                    server origin 127.0.0.1:%(origin)d
                """ % {
                    "defaults": HAPROXY_DEFAULTS, "main": main, "older": older, "newer": newer,
                    "pair": self.pair, "root": self.authority.certificate,
                    "origin": self.origin_port,
                })]

        ports = self.start("haproxy", "haproxy", 3, make)
        self.publish("haproxy", ["", ".clients.tls1.2", ".clients.tls1.3"], ports)
        # The number of streams is a setting of the process.
        for count in STREAMS:
            def make_streams(folder, port, count=count):
                return ["-db", "-f", self.write(folder, """
                    global
                        maxconn 1000
                        tune.h2.max-concurrent-streams %d
                    %s
                    frontend main
                        bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
                        default_backend origin
                    backend origin
                        server origin 127.0.0.1:%d
                    """ % (count, HAPROXY_DEFAULTS, port, self.pair, self.origin_port))]

            name = "streams.%d" % count
            ports = self.start("haproxy." + name, "haproxy", 1, make_streams)
            self.publish("haproxy", ["." + name], ports)

    def apache(self):
        modules = "\n".join(
            "LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so" % (name, name)
            for name in "mpm_event authn_core authn_file authz_core authz_user auth_basic alias "
                        "rewrite ssl socache_shmcb http2 proxy proxy_http setenvif mime".split())

        def make(folder, main, older, newer):
            passwords = self.write(folder, "alice:{SHA}bad\n", "passwords")
            self.write(folder, "hello", "hello")
            os.makedirs(folder + "/early")
            for status in ("200", "401", "403", "413"):
                self.write(folder + "/early", "early", status)
            client = """
                <VirtualHost 127.0.0.1:%%d>
                    SSLEngine on
                    SSLProtocol -all %s
                    SSLCACertificateFile %s
                    SSLVerifyClient require
                </VirtualHost>
                """
            return ["-D", "FOREGROUND", "-d", folder, "-f", self.write(folder, """
                ServerName localhost
                ServerRoot %(folder)s
                DocumentRoot %(folder)s
                PidFile %(folder)s/pid
                DefaultRuntimeDir %(folder)s
                ErrorLog %(folder)s/error
                User %(user)s
                Group %(group)s
                %(modules)s
                TypesConfig /dev/null
                Mutex file:%(folder)s default
                Listen 127.0.0.1:%(main)d
                Listen 127.0.0.1:%(older)d
                Listen 127.0.0.1:%(newer)d
                SSLCertificateFile %(certificate)s
                SSLCertificateKeyFile %(key)s
                Protocols h2 http/1.1
                MaxKeepAliveRequests 0
                <VirtualHost 127.0.0.1:%(main)d>
                    SSLEngine on
                    Redirect 303 /early/303 /hello
                    Redirect 404 /early/404
                    Redirect 429 /early/429
                    <Location /early/401>
                        AuthType Basic
                        AuthName test
                        AuthUserFile %(passwords)s
                        Require valid-user
                    </Location>
                    <Location /early/403>
                        Require all denied
                    </Location>
                    <Location /early/413>
                        LimitRequestBody 1
                    </Location>
                    ProxyPass /cut/ http://127.0.0.1:%(origin)d/cut/
                </VirtualHost>
                %(client12)s
                %(client13)s
                """ % {
                    "folder": folder, "modules": modules, "main": main, "older": older,
                    "newer": newer, "certificate": self.certificate, "key": self.key,
                    "passwords": passwords, "origin": self.origin_port,
                    "user": "www-data" if os.geteuid() == 0 else "#%d" % os.geteuid(),
                    "group": "www-data" if os.geteuid() == 0 else "#%d" % os.getegid(),
                    "client12": client % ("+TLSv1.2", self.authority.certificate) % older,
                    "client13": client % ("+TLSv1.3", self.authority.certificate) % newer,
                })]

        ports = self.start("apache", "apache2", 3, make)
        self.publish("apache", ["", ".clients.tls1.2", ".clients.tls1.3"], ports)

    def lighttpd(self):
        if not os.path.exists("/usr/lib/lighttpd/mod_openssl.so"):
            raise Missing("lighttpd-mod-openssl")

        def make(folder, port):
            self.write(folder, "hello", "hello")
            users = self.write(folder, "alice:s3cret\n", "users")
            return ["-D", "-f", self.write(folder, """
                server.document-root = "%(folder)s"
                server.port = %(port)d
                server.bind = "127.0.0.1"
                server.modules = ("mod_access", "mod_redirect", "mod_auth", "mod_authn_file", "mod_openssl")
                server.errorlog = "%(folder)s/error"
                server.upload-dirs = ("%(folder)s")
                ssl.engine = "enable"
                ssl.pemfile = "%(certificate)s"
                ssl.privkey = "%(key)s"
                auth.backend = "plain"
                auth.backend.plain.userfile = "%(users)s"
                auth.require = ("/early/401" => ("method" => "basic", "realm" => "test", "require" => "valid-user"))
                $HTTP["url"] == "/early/403" { url.access-deny = ("") }
                $HTTP["url"] == "/early/303" {
                    url.redirect = ("" => "/hello")
                    url.redirect-code = 303
                }
                """ % {
                    "folder": folder, "port": port, "certificate": self.certificate,
                    "key": self.key, "users": users,
                })]

        self.publish("lighttpd", [""], self.start("lighttpd", "lighttpd", 1, make))

    def caddy(self):
        def make(folder, port):
            return ["run", "--adapter", "caddyfile", "--config", self.write(folder, """
                {
                    admin off
                    auto_https off
                    skip_install_trust
                    default_sni 127.0.0.1
                }
                https://127.0.0.1:%(port)d {
                    tls %(certificate)s %(key)s
                    respond /early/200 "early" 200
                    redir /early/303 /hello 303
                    respond /early/401 "no" 401
                    respond /early/403 "no" 403
                    respond /early/404 "no" 404
                    respond /early/413 "no" 413
                    respond /early/429 "no" 429
                    respond /hello "hello"
                    reverse_proxy /cut/* 127.0.0.1:%(origin)d
                    reverse_proxy /slow 127.0.0.1:%(origin)d
                }
                """ % {
                    "port": port, "certificate": self.certificate, "key": self.key,
                    "origin": self.origin_port,
                })]

        self.publish("caddy", [""], self.start("caddy", "caddy", 1, make))

    def registry(self):
        def make(folder, port, authentication=""):
            return ["serve", self.write(folder, """
version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage:
  filesystem: {rootdirectory: %(folder)s/data}
http:
  addr: 127.0.0.1:%(port)d
  secret: test
  tls: {certificate: %(certificate)s, key: %(key)s}
%(authentication)s
""" % {
                "folder": folder, "port": port, "certificate": self.certificate, "key": self.key,
                "authentication": authentication,
            })]

        self.publish("registry", [""], self.start("registry", "docker-registry", 1, make))
        self.publish("registry", [".login"], self.start(
            "registry.login", "docker-registry", 1, lambda folder, port: make(
                folder, port, "auth: {silly: {realm: test, service: test}}")))

    def varnish(self):
        def make(folder, port):
            dead = self.ports.take(1)[0]
            return ["-F", "-n", folder + "/state", "-a", "127.0.0.1:%d" % port, "-s", "malloc,16m",
                    "-f", self.write(folder, """
                vcl 4.1;
                backend origin { .host = "127.0.0.1"; .port = "%d"; }
                backend dead { .host = "127.0.0.1"; .port = "%d"; }
                sub vcl_recv {
                    set req.backend_hint = origin;
                    if (req.url ~ "^/dead") { set req.backend_hint = dead; return (pass); }
                    if (req.url ~ "^/(busy|cut)") { return (pass); }
                }
                sub vcl_deliver {
                    set resp.http.X-Hits = obj.hits;
                }
                """ % (self.origin_port, dead))]

        self.publish("varnish", [""], self.start("varnish", "varnishd", 1, make), "http")

    def squid(self):
        # An instance for each scheme: a refusal names all that an instance knows.
        def make(folder, service, open_port, closed, login, scheme, program, password):
            return ["-N", "-n", service, "-f", self.write(folder, """
http_port 127.0.0.1:%(open)d name=open
http_port 127.0.0.1:%(closed)d name=closed
http_port 127.0.0.1:%(login)d name=login
visible_hostname proxy.test
auth_param %(scheme)s program /usr/lib/squid/%(program)s %(passwords)s
auth_param %(scheme)s children 1
auth_param %(scheme)s realm test
acl at_closed myportname closed
acl at_login myportname login
acl known proxy_auth REQUIRED
http_access deny at_closed
http_access allow at_login known
http_access deny at_login
http_access allow all
cache deny all
cache_mem 0
memory_cache_shared off
cache_log /dev/null
access_log none
cache_store_log none
pid_filename none
netdb_filename none
pinger_enable off
coredump_dir %(folder)s
shutdown_lifetime 0 seconds
max_filedescriptors 1024
""" % {
                "open": open_port, "closed": closed, "login": login, "folder": folder,
                "scheme": scheme, "program": program,
                "passwords": self.write(folder, "alice:%s\n" % password, "passwords"),
            })]

        found("squid")
        if not os.stat("/dev/shm").st_mode & 0o002:
            raise Impossible("its user may not make shared memory here")
        for scheme, program, password in (
                ("basic", "basic_ncsa_auth", "$apr1$" + apr1("s3cret")),
                ("digest", "digest_file_auth", "s3cret")):
            service = "real%s%d" % (scheme, os.getpid())
            # squid creates them, although it shares them with no other process.
            self.leftovers += ["/dev/shm/%s-cf__%s.shm" % (service, part) for part in (
                "metadata", "queues", "readers")]
            ports = self.start("squid." + scheme, "squid", 3, lambda folder, *ports: make(
                folder, service, *ports, scheme, program, password))
            names = [".open", ".closed", ".basic"] if scheme == "basic" else [None, None, ".digest"]
            self.publish("squid", names, ports, "http")

    def dante(self):
        def make(folder, port, method="none", rules=""):
            return ["-p", folder + "/pid", "-f", self.write(folder, """
logoutput: stderr
internal: 127.0.0.1 port = %d
external: 127.0.0.1
clientmethod: none
socksmethod: %s
%s
client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
%s
socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 command: connect }
""" % (
                port, method,
                "user.privileged: root\nuser.unprivileged: nobody" if os.geteuid() == 0 else "",
                rules))]

        self.publish("dante", [""], self.start("dante", "danted", 1, make), "socks5h")
        self.publish("dante", [".login"], self.start(
            "dante.login", "danted", 1,
            lambda folder, port: make(folder, port, "username")), "socks5h")
        block = "socks block { from: 0.0.0.0/0 to: 127.0.0.0/8 command: connect }"
        self.publish("dante", [".rules"], self.start(
            "dante.rules", "danted", 1,
            lambda folder, port: make(folder, port, rules=block)), "socks5h")

    def node(self):
        ports = self.start("node", "node", 2, lambda folder, secure, plain: [
            os.path.join(HERE, "answers.mjs"), str(secure), str(plain), self.certificate, self.key])
        self.publish("node", [""], ports[:1])
        self.publish("node", [".plain"], ports[1:], "http")

    def go(self):
        program = os.path.join(self.folder, "answers")
        subprocess.run([found("go"), "build", "-o", program, os.path.join(HERE, "answers.go")],
                       check=True, env=dict(os.environ, GO111MODULE="off"))
        self.publish("go", [""], self.start("go", program, 1, lambda folder, port: [
            str(port), self.certificate, self.key]))

    def openssl(self):
        """Servers that end the handshake with an alert."""
        certificate = ["-cert", self.certificate, "-key", self.key]
        required = ["-Verify", "1", "-verify_return_error", "-CAfile", self.authority.certificate]
        for name, options in {
            "clients.tls1.2": required + ["-tls1_2"],
            "clients.tls1.3": required + ["-tls1_3"],
            "tls1.2": ["-tls1_2"],
            "tls1.3": ["-tls1_3"],
            "cipher": ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"],
            "name": ["-servername", "other.test", "-servername_fatal", "-cert2", self.certificate,
                     "-key2", self.key],
        }.items():
            self.publish("openssl", ["." + name], self.start(
                "openssl." + name, "openssl", 1, lambda folder, port, options=options: [
                    "s_server", "-accept", "127.0.0.1:%d" % port, "-www", "-quiet"]
                + certificate + options))

    def publish(self, server, names, ports, scheme="https"):
        for name, port in zip(names, ports):
            if name is None:
                continue
            self.addresses[server + name] = "%s://127.0.0.1:%d" % (scheme, port)


HAPROXY_DEFAULTS = """
                defaults
                    mode http
                    timeout connect 60s
                    timeout client 60s
                    timeout server 60s
"""


def found(program):
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if path is None:
        raise Missing(program)
    return path


def port_of(url):
    return int(url.rsplit(":", 1)[1])


def apr1(password):
    return subprocess.run(["openssl", "passwd", "-apr1", password], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()[len("$apr1$"):]


def listening(process, ports, seconds):
    """Waits until something accepts connections at all the ports, or the process has ended."""
    until = time.monotonic() + seconds
    for port in ports:
        while True:
            if process.poll() is not None:
                return False
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if time.monotonic() > until:
                    return False
                time.sleep(0.01)
    return True


def end_with_parent():
    """In a new process: lets it end when this program is killed (prctl, PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def end(process):
    """Ends a process with all that it started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            break
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            continue
    process.wait()
