"""Compares CurlTransport with raw libcurl and other clients; called by Scripts/transport-bench. See ../README.md."""

import ctypes, gzip, json, os, re, resource, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time
from dataclasses import dataclass, field
from math import comb
from random import Random

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.environ["BENCH_PROGRAMS"]
QUICK = bool(os.environ.get("QUICK"))
ROUNDS = int(os.environ.get("ROUNDS", 3 if QUICK else 15))
GIB = 1 << 30
CPUS = sorted(os.sched_getaffinity(0))


@dataclass
class Client:
    program: str
    environment: dict = field(default_factory=dict)
    modes: str = "get h2 fresh down up"
    fraction: int = 1  # of the requests: a slow client gets fewer
    resumes: bool = False  # TLS sessions, at the server that lets it
    codings: str = ""  # that the client decodes


EVERY_MODE = "get h2 fresh down down-file up up-file"
CLIENTS = {
    "rawcurl": Client("rawcurl", modes=EVERY_MODE, codings="gzip zstd"),
    "bare epoll": Client("bare", modes="get"),
    "ours-loop": Client("transport-bench", {"BENCH_ON_LOOP": "1"}, EVERY_MODE, codings="gzip zstd"),
    "ours": Client("transport-bench", modes=EVERY_MODE, codings="gzip zstd"),
    "rawcurl, resumed": Client("rawcurl", modes="fresh", resumes=True),
    "ours-loop, resumed": Client("transport-bench", {"BENCH_ON_LOOP": "1"}, "fresh", resumes=True),
    "ours, resumed": Client("transport-bench", modes="fresh", resumes=True),
    "AsyncHTTPClient": Client("asynchttpclient-bench"),
    "URLSession": Client("urlsession-bench", modes="get h2 fresh down up-file", fraction=8),
    "Go": Client("go-bench", codings="gzip"),
}
CLIENTS = {name: c for name, c in CLIENTS.items() if os.path.exists(f"{PROGRAMS}/{c.program}")}
BASE = "rawcurl"
OWN_STORE = os.geteuid() == 0 and os.path.isdir("/etc/ssl/certs") and not os.environ.get("INSTRUCTIONS")


@dataclass
class Workload:
    title: str
    server: str
    path: str
    mode: str
    count: int
    in_flight: int
    loop: float | None  # CPU at most, as a ratio to rawcurl; None is no bound
    tasks: float | None
    length: int = 1024
    newer: tuple | None = None  # the same two bounds for libcurl 8.14 and later
    of: str = "CPU"  # what the first ratio is of: CPU, or the time to the first response
    bundle: bool = True  # trust the machine's authorities, too
    coding: str = ""  # of the content

    def bound(self, name):
        if name.endswith("resumed"):
            return 0.55 if name != "rawcurl, resumed" else None
        loop, tasks = self.newer if self.newer and LIBRARY >= (8, 14) else (self.loop, self.tasks)
        return {"ours-loop": loop, "ours": tasks}.get(name)

    @property
    def moves_bytes(self):
        return self.mode.startswith(("down", "up"))


LIBRARY = (0, 0)  # the version of libcurl, once it is known
WORKLOADS = {
    "h1-1": Workload("HTTP/1.1, GET of 1 KiB, 1 in flight", "plain", "1k", "get", 8000, 1, 1.25, 1.44),
    "h1-64": Workload("HTTP/1.1, GET of 1 KiB, 64 in flight", "plain", "1k", "get", 20000, 64, 1.29, 1.55, newer=(1.15, 1.29)),
    "h1-512": Workload("HTTP/1.1, GET of 1 KiB, 512 in flight", "plain", "1k", "get", 20000, 512, 0.90, 1.30),
    "h2-64": Workload("HTTP/2 over TLS, GET of 1 KiB, 64 in flight", "tls", "1k", "h2", 10000, 64, 1.20, 1.45, bundle=False),
    "100k": Workload("HTTP/1.1, GET of 100 KiB, 16 in flight", "plain", "100k", "get", 8000, 16, 0.90, 1.05, 102400),
    "gzip": Workload("GET of 1 MiB in gzip, 16 in flight", "plain", "1m.gzip", "get", 1000, 16, None, 1.05, 1 << 20, coding="gzip"),
    "zstd": Workload("GET of 1 MiB in zstd, 16 in flight", "plain", "1m.zstd", "get", 1000, 16, None, 1.05, 1 << 20, coding="zstd"),
    "down": Workload("Download of 1 GiB to a reader", "plain", "1g", "down", 1, 1, 1.10, 1.25, GIB),
    "down-file": Workload("Download of 1 GiB to a file", "plain", "1g", "down-file", 1, 1, 1.05, 1.05, GIB),
    "up-file": Workload("Upload of 1 GiB from a file", "sink", "up", "up-file", 1, 1, 1.02, 1.10, 0),
    "up": Workload("Upload of 1 GiB from an async sequence", "sink", "up", "up", 1, 1, 1.10, 1.25, 0),
    "fresh": Workload("A new TLS connection per request", "closing", "1k", "fresh", 500, 1, 1.05, 1.05),
    "start": Workload("Cold start to the first response, plain", "plain", "1k", "get", 1, 1, 1.40, 1.40, of="time"),
    "start-tls": Workload("Cold start to the first response, TLS", "tls", "1k", "h2", 1, 1, 0.55, 0.55, of="time"),
}
# (workload, client, the client whose CPU time is the reference, the limit)
BESIDE_PEERS = [
    ("h1-64", "ours-loop", "AsyncHTTPClient", 0.40), ("h1-64", "ours", "AsyncHTTPClient", 0.50),
    ("h1-64", "ours", "URLSession", 0.08),
    ("h1-1", "ours-loop", "Go", None), ("h1-64", "ours-loop", "Go", None), ("h1-512", "ours-loop", "Go", None),
    ("h2-64", "ours-loop", "Go", None), ("100k", "ours-loop", "Go", None), ("down", "ours-loop", "Go", None),
]
IN_FLIGHT = 10000
HELD = Workload(f"{IN_FLIGHT:,} requests in flight", "holding", "hold", "get", IN_FLIGHT, IN_FLIGHT, None, None, 0)
HELD_MEMORY = 12  # KiB per request, beyond rawcurl
RESIDENT = 20  # MiB, when moving bytes


# ---- servers ---------------------------------------------------------------------------------------


def free_ports(count):
    """Returns different ports that were free a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def records(count):
    """Returns JSON of this length, as interfaces send it: it becomes a sixth as long in gzip."""
    random = Random(1)
    lines = []
    while sum(map(len, lines)) < count:
        lines.append(json.dumps({
            "id": random.randrange(1 << 40), "name": random.choice("Ada Grace Edsger Barbara Donald".split()),
            "status": random.choice(["active", "closed", "waiting"]), "amount": round(random.random() * 1000, 2),
            "updated": f"2026-11-{random.randrange(1, 30):02}T{random.randrange(24):02}:{random.randrange(60):02}:00Z",
            "tags": random.sample("red green blue large small new old".split(), 3)}) + "\n")
    return "".join(lines).encode()[:count]


def zstd(content):
    """Returns content in zstd, by the library that libcurl loads, too; nothing without it."""
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        return b""
    library.ZSTD_compressBound.restype = library.ZSTD_compress.restype = ctypes.c_size_t
    space = ctypes.create_string_buffer(library.ZSTD_compressBound(ctypes.c_size_t(len(content))))
    count = library.ZSTD_compress(space, ctypes.c_size_t(len(space)), content, ctypes.c_size_t(len(content)), 3)
    return space.raw[:count]


class Servers:
    """nginx and the upload sink, on the first CPU, in a temporary directory."""

    def __enter__(self):
        # In memory: the disk must not be measured.
        self.folder = tempfile.mkdtemp(prefix="transport-bench-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        os.chmod(self.folder, 0o755)  # nginx's worker is somebody else when this is root
        self.processes = []
        try:
            self.fill()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, signal.SIG_IGN)
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return f"{self.folder}/{name}"

    def fill(self):
        for name in ("authority", "server"):
            self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.path(f"{name}.key"))
        self.openssl("req", "-x509", "-new", "-key", self.path("authority.key"), "-days", "2", "-subj", "/CN=throw-away",
                     "-out", self.path("authority.pem"), "-addext", "keyUsage=critical,keyCertSign")
        self.openssl("req", "-new", "-key", self.path("server.key"), "-subj", "/CN=localhost", "-out", self.path("server.csr"))
        with open(self.path("extensions"), "w") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
        self.openssl("x509", "-req", "-in", self.path("server.csr"), "-CA", self.path("authority.pem"),
                     "-CAkey", self.path("authority.key"), "-CAcreateserial", "-days", "2", "-out", self.path("server.pem"),
                     "-extfile", self.path("extensions"))
        system = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        with open(self.path("bundle.pem"), "wb") as bundle:
            for name in [n for n in system if os.path.exists(n)][:1] + [self.path("authority.pem")]:
                with open(name, "rb") as part:
                    bundle.write(part.read())
        # The same as on Debian: the bundle, and beside it one file per authority, named by its subject's hash.
        os.mkdir(self.path("authorities"))
        shutil.copy(self.path("bundle.pem"), self.path("authorities/ca-certificates.crt"))
        with open(self.path("bundle.pem")) as bundle:
            found = re.findall("-----BEGIN.*?-----END.*?\n", bundle.read(), re.S)
        for number, certificate in enumerate(found):
            with open(self.path(f"authorities/{number}.pem"), "w") as file:
                file.write(certificate)
        self.openssl("rehash", self.path("authorities"))
        if OWN_STORE:
            subprocess.run(["mount", "--bind", self.path("authorities"), "/etc/ssl/certs"], check=True)
        os.mkdir(self.path("root"))
        with open(self.path("root/100k"), "wb") as file:
            file.write(os.urandom(102400))
        for coding, encode in (("gzip", gzip.compress), ("zstd", zstd)):
            with open(self.path(f"root/1m.{coding}"), "wb") as file:
                file.write(encode(records(1 << 20)))
        # Random bytes, not a hole: a hole is served from one page that never leaves the processor's cache.
        with open(self.path("root/1g"), "wb") as file:
            piece = os.urandom(16 << 20)
            for _ in range(GIB // len(piece)):
                file.write(piece)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=self.folder)

    def start(self):
        pinned = ["taskset", "-c", str(CPUS[0])] if len(CPUS) > 1 else []
        for attempt in range(5):
            ports = free_ports(4)
            self.urls = {n: f"http{'' if n == 'plain' else 's'}://127.0.0.1:{p}" for n, p in zip(("plain", "tls", "closing", "resuming"), ports)}
            words = dict(zip(("PLAIN", "TLS", "CLOSING", "RESUMING"), map(str, ports)), ROOT=self.path("root"), KILO="k" * 1024)
            with open(f"{HERE}/nginx.conf.in") as template, open(self.path("nginx.conf"), "w") as file:
                file.write(re.sub("@([A-Z]+)@", lambda m: words[m[1]], template.read().split("\n", 1)[1]))
            nginx = subprocess.Popen(pinned + [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or "nginx",
                                               "-p", self.folder, "-e", "error.log", "-c", "nginx.conf"], stderr=subprocess.PIPE, text=True)
            if self.listens(nginx, ports):
                self.processes.append(nginx)
                break
            nginx.kill()
            complaint = nginx.communicate()[1]
        else:
            sys.exit(f"nginx does not start: {complaint}")
        sink = subprocess.Popen(pinned + [f"{PROGRAMS}/sink", "7200"], stdout=subprocess.PIPE, text=True)
        self.processes.append(sink)
        self.urls["sink"] = f"http://127.0.0.1:{int(sink.stdout.readline())}"
        holder = subprocess.Popen(pinned + [f"{PROGRAMS}/sink", "7200"], stdout=subprocess.PIPE, text=True,
                                  env=dict(os.environ, HOLD=str(IN_FLIGHT)))
        self.processes.append(holder)
        self.urls["holding"] = f"http://127.0.0.1:{int(holder.stdout.readline())}"

    @staticmethod
    def listens(process, ports):
        for _ in range(200):
            if process.poll() is not None:
                return False
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", ports[-1])) == 0:
                    return True
            time.sleep(0.05)
        return False

    def cpu(self):
        """Returns the exact CPU seconds so far."""
        total = 0
        for process in self.processes:
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                for pid in [str(process.pid)] + file.read().split():
                    with open(f"/proc/{pid}/schedstat") as times:
                        total += int(times.read().split()[0])
        return total / 1e9


# ---- one run ---------------------------------------------------------------------------------------


def machine_cpu():
    with open("/proc/stat") as file:
        f = [int(x) for x in file.readline().split()[1:]]
    return (f[0] + f[1] + f[2] + f[5] + f[6]) / os.sysconf("SC_CLK_TCK")


def command(servers, workload, name, count):
    client = CLIENTS[name]
    file = servers.path("root/1g" if workload.mode == "up-file" else "download")
    if workload.mode == "down-file" and os.path.exists(file):
        os.remove(file)
    environment = dict(os.environ, BENCH_CA=servers.path("bundle.pem" if workload.bundle else "authority.pem"), BENCH_FILE=file,
                       BENCH_UPLOAD_BYTES=str(GIB), BENCH_EXPECT_BYTES=str(workload.length), BENCH_CODING=workload.coding, **client.environment)
    url = f"{servers.urls['resuming' if client.resumes else workload.server]}/{workload.path}"
    if workload.bundle and url.startswith("https") and OWN_STORE and name.startswith("ours"):
        # Where the test provides the machine's own store, CurlTransport's use of it is measured, too.
        environment["BENCH_CA"] = ""
    return [f"{PROGRAMS}/{client.program}", url, str(count), str(workload.in_flight), workload.mode], environment


def run(servers, workload, name, limit=180):
    """Returns the client's own line with measurements of the machine, or "failed" if there is none."""
    count = max(int(workload.count * (0.2 if QUICK else 1) / CLIENTS[name].fraction), workload.in_flight)
    words, environment = command(servers, workload, name, count)
    pinned = ["taskset", "-c", str(CPUS[1])] if len(CPUS) > 1 else []
    server, machine, start = servers.cpu(), machine_cpu(), time.monotonic()
    process = subprocess.Popen(pinned + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    killer = threading.Timer(limit, process.kill)
    killer.daemon = True
    killer.start()
    line = process.stdout.readline()
    first = time.monotonic() - start
    complaint = process.stderr.read()
    process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    killer.cancel()
    wall = time.monotonic() - start
    if not line.startswith("{"):
        return {"failed": (complaint or line or f"status {status}").strip().splitlines()[-1][:160]}
    result = json.loads(line)
    if result["errors"]:
        return {"failed": f"{result['errors']} errors; {complaint.strip()[:160]}"}
    server = servers.cpu() - server
    own = usage.ru_utime + usage.ru_stime
    result["server"] = server / result["wall_s"]
    result["others"] = max(0.0, (machine_cpu() - machine - server - own) / wall)
    if workload.of == "time":
        result["cost"], result["rate"] = first * 1e3, 1 / first
    elif workload.moves_bytes:
        result["cost"], result["rate"] = result["cpu_s"] * 1e3, GIB / result["wall_s"] / 1e6
    else:
        result["cost"], result["rate"] = result["cpu_us_per_req"], result["rps"]
    return result


def participants(workload):
    names = [name for name, client in CLIENTS.items()
             if workload.mode in client.modes.split() and (not workload.coding or workload.coding in client.codings.split())]
    if workload.of == "time" or workload.server != "closing":
        names = [name for name in names if not CLIENTS[name].resumes]
    return names


def rounds(servers, workload):
    """Runs A B C, A B C, …: one round that does not count, then those that do. A run that other processes
    disturbed is repeated, as long as the disturbance may end."""
    names, patience = participants(workload), ROUNDS // 3
    results, failed = {name: [] for name in names}, {}
    for number in range(ROUNDS + 1):
        for name in names:
            if name in failed:
                continue
            for _ in range(2):
                result = run(servers, workload, name)
                if "failed" in result or result["others"] < 0.35 or patience == 0:
                    break
                patience -= 1
            if "failed" in result:
                failed[name], results[name] = result["failed"], []
            elif number:
                results[name].append(result)
    return results, failed


def instructions(servers, workload):
    """Returns each client's user instructions per request, from the difference of two runs; independent of the load."""
    step = max(1000, workload.in_flight * 2)
    counts = {}
    for name in participants(workload):
        collected = []
        for count in (step, 2 * step):
            words, environment = command(servers, workload, name, count)
            tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            output = subprocess.run(tool + words, env=environment, capture_output=True, text=True).stderr
            collected += [int(found) for found in re.findall(r"Collected : (\d+)", output)]
        if len(collected) == 2:
            counts[name] = (collected[1] - collected[0]) / step
        else:
            print(f"{name} does not run under valgrind.", file=sys.stderr)
    return counts


def in_flight(servers):
    """Returns the memory per request in flight, at a server that responds only when all requests have arrived: from the peaks
    of resident memory of a client with all requests and of one with a single request to another server."""
    names, results = ["rawcurl", "ours-loop", "ours"], {}
    single = Workload("", "sink", "one", "get", 1, 1, None, None, 0)
    for name in names * ROUNDS:
        pair = [run(servers, workload, name) for workload in (HELD, single)]
        for result in pair:
            if "failed" in result:
                sys.exit(f"{name}: {result['failed']}")
        results.setdefault(name, []).append({"cost": (pair[0]["maxrss_kb"] - pair[1]["maxrss_kb"]) / IN_FLIGHT})
    print(f"\n| {HELD.title} | KiB of each | more than rawcurl | bound |\n|---|--:|--:|---|")
    print(f"| rawcurl | {spread(results['rawcurl'], 'cost')} | | |")
    for name in names[1:]:
        middle, low, high = interval([a["cost"] - b["cost"] for a, b in zip(results[name], results["rawcurl"])])
        print(f"| {name} | {spread(results[name], 'cost')} | {middle:.1f} [{low:.1f}–{high:.1f}] | {verdict(HELD_MEMORY, low <= HELD_MEMORY, '≤')} |")


# ---- tables ----------------------------------------------------------------------------------------


def interval(values):
    """Returns the median and its confidence interval of at least 95 %, by order statistics and so for any distribution.
    With fewer than six rounds, there is no such interval, and the whole range is returned."""
    ordered, n = sorted(values), len(values)
    rank = 0
    while 2 * sum(comb(n, i) for i in range(rank + 2)) / 2**n <= 0.05:
        rank += 1
    return statistics.median(ordered), ordered[rank], ordered[n - 1 - rank]


def ratio(results, base, key):
    return interval([a[key] / b[key] for a, b in zip(results, base)])


def verdict(bound, isMet, sign):
    return "" if bound is None else f"{sign} {bound:.2f} {'met' if isMet else '**missed**'}"


def number(value):
    return f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"


def spread(results, key):
    values = sorted(r[key] for r in results)
    return f"{number(statistics.median(values))} ({number(values[0])}–{number(values[-1])})"


def table(name, workload, results, failed):
    cost = "start, ms" if workload.of == "time" else "CPU, ms" if workload.moves_bytes else "CPU per request, µs"
    rate = None if workload.of == "time" else "MB/s" if workload.moves_bytes else "requests/s"
    lines = [f"| {workload.title} | {cost} | × rawcurl | bound |" + (f" {rate} | × rawcurl |" if rate else "") + " peak MiB |"]
    lines.append("|---|--:|--:|---|" + "--:|--:|" * bool(rate) + "--:|")
    base = results[BASE]
    for client, all in results.items():
        if not all:
            lines.append(f"| {client} | failed: {failed.get(client)} |" + " |" * (5 if rate else 3))
            continue
        bound = workload.bound(client)
        row = []
        for key in ("cost", "rate") if rate else ("cost",):
            row.append(spread(all, key))
            if client == BASE or not base:
                row += ["1" if base else ""] + [""] * (key == "cost")
                continue
            middle, low, high = ratio(all, base, key)
            row.append(f"{middle:.2f} [{low:.2f}–{high:.2f}]")
            if key == "cost":
                row.append("" if bound is None else verdict(bound, low <= bound, "≤"))
        peak = max(r["maxrss_kb"] for r in all) / 1024
        is_ours = CLIENTS[client].program == "transport-bench"
        row.append(f"{peak:.1f}" + (f", {verdict(RESIDENT, peak <= RESIDENT, '≤')}".replace(".00", "") if is_ours and workload.moves_bytes else ""))
        lines.append(f"| {client} | " + " | ".join(row) + " |")
    for where, client, peer, most in BESIDE_PEERS:
        if where == name and results.get(peer) and results.get(client):
            middle, low, high = ratio(results[client], results[peer], "cost")
            text = f"{client} beside {peer}: {middle:.2f} [{low:.2f}–{high:.2f}]"
            lines += ["", text + (f", {verdict(most, low <= most, '≤')}" if most else "")]
    runs = [r for all in results.values() for r in all]
    if runs:
        middle = lambda key, some: statistics.median(r[key] for r in some)
        lines += ["", f"Server: {middle('server', base or runs):.0%} of its CPU beside rawcurl; others on this machine: "
                  f"{middle('others', runs):.2f} CPUs (most {max(r['others'] for r in runs):.2f})."]
    return "\n".join(lines)


def count(servers, names):
    for workload in [WORKLOADS[name] for name in names if WORKLOADS[name].count > 1]:
        counts = instructions(servers, workload)
        print(f"\n| {workload.title} | user instructions per request | × rawcurl |\n|---|--:|--:|")
        for name, each in counts.items():
            print(f"| {name} | {each:,.0f} | {each / counts[BASE]:.2f} |", flush=True)


def main():
    if OWN_STORE and not os.environ.get("BENCH_OWN_MOUNTS"):
        # The store is mounted once, for all clients: each of them starts in the same way.
        os.environ["BENCH_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    names = sys.argv[1:] or [*WORKLOADS, "in-flight"]
    if unknown := [n for n in names if n not in WORKLOADS and n != "in-flight"]:
        sys.exit(f"no workload {' '.join(unknown)}: there are {' '.join(WORKLOADS)} in-flight")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * IN_FLIGHT if hard == resource.RLIM_INFINITY else min(2 * IN_FLIGHT, hard), hard))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    everything = {}
    with Servers() as servers:
        version = json.loads(subprocess.run([f"{PROGRAMS}/rawcurl", f"{servers.urls['plain']}/1k", "1", "1", "get"],
                                            capture_output=True, text=True, check=True).stdout)["note"]
        global LIBRARY
        LIBRARY = tuple(int(part) for part in version.split(".")[:2])
        if os.environ.get("INSTRUCTIONS"):
            print(f"libcurl {version}, counted by callgrind.")
            return count(servers, [name for name in names if name in WORKLOADS])
        where = f"server on CPU {CPUS[0]}, client on CPU {CPUS[1]}" if len(CPUS) > 1 else "server and client on one CPU"
        print(f"libcurl {version}; {where}; {ROUNDS} interleaved rounds{', a fifth of the requests' if QUICK else ''}; "
              f"load {os.getloadavg()[0]:.1f} at the start. A ratio is the median of the rounds' ratios, in brackets its "
              + ("95 % interval." if ROUNDS > 5 else "range, for want of rounds."))
        if "in-flight" in names:
            in_flight(servers)
        for name in [name for name in names if name in WORKLOADS]:
            results, failed = rounds(servers, WORKLOADS[name])
            everything[name] = {"results": results, "failed": failed}
            print(f"\n{table(name, WORKLOADS[name], results, failed)}", flush=True)
    if path := os.environ.get("RESULTS"):
        with open(path, "w") as file:
            json.dump({"library": version, "rounds": ROUNDS, "quick": QUICK, "workloads": everything}, file)


main()
