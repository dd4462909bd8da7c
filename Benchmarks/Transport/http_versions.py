"""Measures HTTP/2 and HTTP/3 over a link that loses packets, and on loopback; called by Scripts/http-versions.

    python3 Transport/http_versions.py RESULTS.json

A lane is a server and a client in a network namespace each, with a link between them. With loss, the time is spent in
waiting for packets, so several lanes measure at a time. Without loss, and on loopback, it is one.
"""

import collections, json, os, queue, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLIENT, LINK = os.environ["BENCH_CLIENT"], os.environ["BENCH_LINK"]
ROUNDS = int(os.environ.get("ROUNDS", 9))
LANES = int(os.environ.get("LANES", 6))
ONLY = os.environ.get("ONLY", "").split()
LOSSES = [float(part) / 100 for part in os.environ.get("LOSSES", "0 1 3").split()]
DELAY, RATE, QUEUE = (float(os.environ.get(name, value)) for name, value in (("DELAY", 25), ("RATE", 100), ("QUEUE", 50)))
STREAM = os.environ.get("STREAM", "1m")
# Options of Scripts/newest-libcurl. nginx 1.26 hardly slows down when packets over QUIC are lost: see Docs/Performance.md. So the
# server is from another root than the client.
LIBRARY, SERVER_ROOT = (os.environ.get(name, value).split() for name, value in (("LIBRARY", ""), ("SERVER_ROOT", "--sid")))
CPUS = sorted(os.sched_getaffinity(0))
SERVER, PORT = "10.99.0.2", 8443
LIMIT = 300  # seconds for one run


@dataclass
class Workload:
    path: str
    mode: str
    count: int
    in_flight: int
    length: int
    warm: bool = True
    times: int = 1  # rounds for each of ROUNDS, except without loss, where they differ little


KIB, MIB = 1 << 10, 1 << 20
WORKLOADS = {
    "100k": Workload("100k", "get", 32, 16, 100 * KIB, times=2),
    # Their responses fit into a congestion window of the size that losses leave. Those of 16 in flight do not.
    "1k-4": Workload("1k", "get", 120, 4, KIB, times=3),
    "1k": Workload("1k", "get", 480, 16, KIB, times=2),
    "10m": Workload("10m", "down", 1, 1, 10 * MIB),
    "start": Workload("1k", "get", 1, 1, KIB, warm=False, times=5),
}
LOCAL = {
    "200m": Workload("200m", "down", 1, 1, 200 * MIB, times=2),
    "1k-64": Workload("1k", "get", 10000, 64, KIB, times=2),
}


@dataclass
class Arm:
    version: str
    tcp: str | None = None  # the congestion control of the server's TCP


def arms():
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control") as file:
        available = file.read().split()
    wanted = {"HTTP/2": Arm("2", "cubic"), "HTTP/3": Arm("3"), "HTTP/2, BBR": Arm("2", "bbr"), "HTTP/2, Reno": Arm("2", "reno")}
    names = [name.strip() for name in os.environ.get("ARMS", "HTTP/2; HTTP/3; HTTP/2, BBR").split(";")]
    if missing := [name for name in names[:2] if wanted[name].tcp not in [None, *available]]:
        sys.exit(f"the kernel does not have what is needed for {', '.join(missing)}: {' '.join(available)}")
    return {name: wanted[name] for name in names if wanted[name].tcp in [None, *available]}


def call(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout


# ---- the server's files ----------------------------------------------------------------------------


def fill(folder):
    """Writes the certificate and the files that are downloaded."""
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)

    for name in ("authority", "server"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
    openssl("req", "-x509", "-new", "-key", "authority.key", "-days", "2", "-subj", "/CN=throw-away",
            "-out", "authority.pem", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-new", "-key", "server.key", "-subj", "/CN=throw-away server", "-out", "server.csr")
    with open(f"{folder}/extensions", "w") as file:
        file.write(f"subjectAltName=IP:127.0.0.1,IP:{SERVER}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-out", "server.pem", "-extfile", "extensions")
    os.mkdir(f"{folder}/root")
    for name, length in (("100k", 100 * KIB), ("10m", 10 * MIB), ("200m", 200 * MIB)):
        with open(f"{folder}/root/{name}", "wb") as file:
            for _ in range(0, length, min(length, MIB)):
                file.write(os.urandom(min(length, MIB)))


class Holder:
    """A process in the root of the client, for clients to enter."""

    def start(self):
        self.process = subprocess.Popen([f"{ROOT}/Scripts/newest-libcurl", *LIBRARY, "bash", "-c", "echo $$; read -r"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=f"{ROOT}/Benchmarks")
        self.pid = int(self.process.stdout.readline())

    def stop(self):
        if hasattr(self, "process"):
            self.process.communicate("\n")


# ---- lanes -----------------------------------------------------------------------------------------


class Lane:
    def __init__(self, folder, number, holder):
        self.shared, self.number, self.holder = folder, number, holder
        self.folder = f"{folder}/lane-{number}"
        self.server, self.client = (f"http-versions-{os.getpid()}-{number}-{end}" for end in ("server", "client"))
        self.namespaces, self.nginx, self.link, self.processor = [], None, None, None

    def start(self):
        os.mkdir(self.folder)
        for name in (self.server, self.client):
            call("ip", "netns", "add", name)
            self.namespaces.append(name)
            # As on Ethernet. Without it, QUIC would have packets of 64 KiB here.
            call("ip", "-n", name, "link", "set", "lo", "mtu", "1500", "up")
            # A connection does not begin with what an earlier one has found out about the network.
            call("ip", "netns", "exec", name, "sysctl", "-q", "net.ipv4.tcp_no_metrics_save=1", "net.ipv6.conf.all.disable_ipv6=1")
        words = dict(FOLDER=self.shared, KILO="k" * KIB, STREAM=STREAM)
        with open(f"{HERE}/versions.nginx.conf.in") as template, open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(re.sub("@([A-Z]+)@", lambda m: words[m[1]], template.read().split("\n", 1)[1]))
        self.nginx = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{self.server}", "taskset", "-c", str(CPUS[0]), f"{ROOT}/Scripts/newest-libcurl", *SERVER_ROOT,
             "nginx", "-p", self.folder, "-e", "error.log", "-c", "nginx.conf"],
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=f"{ROOT}/Benchmarks")
        begin = time.monotonic()
        while True:
            if self.nginx.poll() is not None or time.monotonic() > begin + 300:
                sys.exit(f"nginx does not start: {self.nginx.stderr.read() if self.nginx.poll() is not None else 'no end of it'}")
            try:
                with open(f"{self.folder}/nginx.pid") as file:
                    self.processor = int(file.read())
                    return
            except (FileNotFoundError, ValueError):
                time.sleep(0.05)

    def connect(self, loss):
        """Makes the link, or none on loopback."""
        if loss is None:
            return
        self.link = subprocess.Popen(
            [LINK, f"/run/netns/{self.server}", f"/run/netns/{self.client}", "link0", *map(str, (loss, DELAY, RATE, QUEUE)),
             str(self.number + 1 + int(loss * 1e6))], stdout=subprocess.PIPE, text=True)
        if self.link.stdout.readline() != "ready\n":
            sys.exit("the link is not ready")
        client = SERVER.replace(".2", ".1")
        for name, own, other in ((self.server, SERVER, client), (self.client, client, SERVER)):
            call("ip", "-n", name, "address", "add", own, "peer", other, "dev", "link0")
            # Nothing is dropped before the link: its queue is the only one.
            call("ip", "-n", name, "link", "set", "link0", "mtu", "1500", "txqueuelen", "10000", "up")

    def disconnect(self):
        """Returns what the link has forwarded and dropped: from the server, and to it."""
        if not self.link:
            return []
        self.link.terminate()
        lines = [json.loads(line) for line in self.link.communicate(timeout=10)[0].splitlines()]
        self.link = None
        return lines

    def stop(self):
        if self.link:
            self.link.kill()
            self.link.wait()
        if self.processor:
            try:
                os.kill(self.processor, signal.SIGTERM)
            except ProcessLookupError:
                pass
        if self.nginx:
            try:
                self.nginx.wait(10)
            except subprocess.TimeoutExpired:
                self.nginx.kill()
        for name in self.namespaces:
            subprocess.run(["ip", "netns", "delete", name], check=False)

    def cpu(self):
        """Returns the CPU seconds of nginx so far."""
        total = 0
        with open(f"/proc/{self.processor}/task/{self.processor}/children") as file:
            for pid in [str(self.processor)] + file.read().split():
                with open(f"/proc/{pid}/schedstat") as times:
                    total += int(times.read().split()[0])
        return total / 1e9

    def log(self, offset, count):
        """Returns the connections and versions of the requests since `offset`. nginx may write them a little later."""
        for _ in range(100):
            with open(f"{self.folder}/access.log") as file:
                file.seek(offset)
                entries = [line.split() for line in file.read().split("\n")[:-1]]
            if len(entries) >= count:
                break
            time.sleep(0.02)
        return entries

    def run(self, workload, arm, local):
        """Returns the client's own line, with the time of the process, or {"failed": …}."""
        if arm.tcp and local:
            call("ip", "-n", self.server, "route", "replace", "local", "127.0.0.1", "dev", "lo", "table", "local",
                 "src", "127.0.0.1", "congctl", arm.tcp)
        elif arm.tcp:
            call("ip", "-n", self.server, "route", "replace", SERVER.replace(".2", ".1"), "dev", "link0", "src", SERVER, "congctl", arm.tcp)
        origin = f"https://{'127.0.0.1' if local else SERVER}:{PORT}"
        environment = dict(os.environ, BENCH_CA=f"{self.shared}/authority.pem", BENCH_HTTP=arm.version, BENCH_EXPECT_BYTES=str(workload.length))
        environment.pop("BENCH_WARM_UP", None)
        if workload.warm:
            environment["BENCH_WARM_UP"] = f"{origin}/1k"
        words = ["nsenter", "--target", str(self.holder.pid), "--mount", "--root", f"--net=/run/netns/{self.server if local else self.client}",
                 "taskset", "-c", str(CPUS[-1]), CLIENT,
                 f"{origin}/{workload.path}", str(workload.count), str(workload.in_flight), workload.mode]
        offset = os.path.getsize(f"{self.folder}/access.log")
        server, start = self.cpu(), time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        killer = threading.Timer(LIMIT, process.kill)
        killer.daemon = True
        killer.start()
        line = process.stdout.readline()
        first = time.monotonic() - start
        complaint = process.communicate()[1].strip()
        killer.cancel()
        if not line.startswith("{"):
            return {"failed": complaint or f"status {process.returncode}"}
        result = json.loads(line)
        if result["errors"]:
            return {"failed": f"{result['errors']} errors; {complaint}"}
        entries = self.log(offset, workload.count + workload.warm)
        if versions := {version for _, version, _ in entries} - {f"HTTP/{arm.version}.0"}:
            sys.exit(f"requests went over {versions}, not over HTTP/{arm.version}")
        result["first_s"], result["server_cpu_s"] = first, self.cpu() - server
        result["logged"], result["connections"] = len(entries), len({connection for connection, _, _ in entries})
        return result


# ---- conditions ------------------------------------------------------------------------------------


def measure(lanes, workloads, chosen, loss):
    """Runs all rounds. In each round, all arms run one after the other in the same lane; the first changes from round
    to round."""
    local, results, errors, work = loss is None, collections.defaultdict(dict), [], queue.SimpleQueue()
    # The long ones first, so that no lane is left with one of them at the end.
    for name in sorted(workloads, key=lambda n: -workloads[n].count * workloads[n].length):
        for number in range(ROUNDS * (1 if loss == 0 else workloads[name].times)):
            work.put((name, number))

    def serve(lane):
        try:
            lane.connect(loss)
            lane.run(WORKLOADS["start"], next(iter(chosen.values())), local)  # does not count
            while not errors:
                try:
                    name, number = work.get_nowait()
                except queue.Empty:
                    return
                turn = number % len(chosen)
                order = list(chosen)[turn:] + list(chosen)[:turn]
                results[name][number] = {arm: lane.run(workloads[name], chosen[arm], local) for arm in order}
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=serve, args=(lane,), daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.5)
    if errors:
        raise errors[0]
    return {
        "loss": loss, "lanes": len(lanes), "link": [lane.disconnect() for lane in lanes],
        "workloads": {name: [results[name][number] for number in sorted(results[name])] for name in workloads},
    }


def complain_about(condition):
    for name, rounds in condition["workloads"].items():
        for arm in rounds[0]:
            failures = [one[arm]["failed"] for one in rounds if "failed" in one[arm]]
            if failures:
                print(f"{name}, {arm}: {len(failures)} of {len(rounds)} runs failed, the first with: {failures[0][:300]}", file=sys.stderr)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen, begin = arms(), time.monotonic()
    folder = tempfile.mkdtemp(prefix="http-versions-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    os.chmod(folder, 0o755)
    holder = Holder()
    lanes = [Lane(folder, number, holder) for number in range(LANES if any(LOSSES) else 1)]
    try:
        fill(folder)
        holder.start()
        for lane in lanes:
            lane.start()
        said = subprocess.run(["nsenter", "--target", str(lanes[0].processor), "--mount", "--root", "nginx", "-v"],
                              check=True, capture_output=True, text=True).stderr
        conditions = []
        if not os.environ.get("NO_LOOPBACK"):
            print("loopback", file=sys.stderr)
            conditions.append(measure(lanes[:1], LOCAL, dict(list(chosen.items())[:2]), None))
            complain_about(conditions[-1])
        for loss in LOSSES:
            print(f"{loss:.0%} of the packets lost, {time.monotonic() - begin:.0f} s so far", file=sys.stderr)
            some = {name: workload for name, workload in WORKLOADS.items() if not ONLY or name in ONLY}
            conditions.append(measure(lanes if loss else lanes[:1], some, chosen, loss))
            complain_about(conditions[-1])
    finally:
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, signal.SIG_IGN)
        for lane in lanes:
            lane.stop()
        holder.stop()
        shutil.rmtree(folder, ignore_errors=True)
    notes = {run["note"] for c in conditions for rounds in c["workloads"].values() for one in rounds for run in one.values() if "note" in run}
    with open(sys.argv[1], "w") as file:
        json.dump({"library": " ".join(sorted(notes)), "server": said.strip().rpartition("/")[2], "rounds": ROUNDS, "delay_ms": DELAY,
                   "rate_mbit": RATE, "queue_ms": QUEUE, "stream": STREAM, "seconds": time.monotonic() - begin, "conditions": conditions}, file)


main()
