"""Writes the first table of Docs/Performance.md from the results of Scripts/transport-bench; called by Scripts/bench.

    python3 Transport/summary.py results.json ../Docs/Performance.md COMMIT

The table is between two comments of the page; the rest of the page stays as it is.
"""

import datetime, json, statistics, sys
from math import comb

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
COLUMNS = {
    "ours-loop": "on the loop", "ours": "ordinary tasks", "Go": "Go", "AsyncHTTPClient": "AsyncHTTPClient", "URLSession": "URLSession",
}
ROWS = {
    "h1-1": "GET of 1 KiB, 1 in flight", "h1-64": "GET of 1 KiB, 64 in flight", "h1-512": "GET of 1 KiB, 512 in flight",
    "h2-64": "GET of 1 KiB over HTTP/2 and TLS, 64 in flight", "100k": "GET of 100 KiB, 16 in flight",
    "gzip": "GET of 1 MiB in gzip, 16 in flight", "zstd": "GET of 1 MiB in zstd, 16 in flight",
    "down": "download of 1 GiB to a reader", "down-file": "download of 1 GiB to a file", "up-file": "upload of 1 GiB from a file",
    "up": "upload of 1 GiB from a sequence", "fresh": "a new TLS connection for each request",
    "start": "start of a process to its first response (time)", "start-tls": "the same over TLS (time)",
}


def interval(values):
    """Returns the median and its confidence interval of at least 95 %, or the range if there are too few values."""
    ordered, n = sorted(values), len(values)
    rank = 0
    while 2 * sum(comb(n, i) for i in range(rank + 2)) / 2**n <= 0.05:
        rank += 1
    return statistics.median(ordered), ordered[rank], ordered[n - 1 - rank]


def row(title, results):
    base, cells = results.get("rawcurl"), []
    for name in COLUMNS:
        rounds = results.get(name)
        if not base or not rounds:
            cells.append("–")
            continue
        middle, low, high = interval([one["cost"] / b["cost"] for one, b in zip(rounds, base)])
        cells.append(f"{middle:.2f} [{low:.2f}–{high:.2f}]")
    return f"| {title} | " + " | ".join(cells) + " |"


def main():
    path, page, commit = sys.argv[1:]
    with open(path) as file:
        everything = json.load(file)
    lines = [
        "| CPU time, × raw libcurl | " + " | ".join(COLUMNS.values()) + " |",
        "|---|" + "--:|" * len(COLUMNS),
        *(row(title, everything["workloads"][name]["results"]) for name, title in ROWS.items() if name in everything["workloads"]),
    ]
    said = f"{datetime.date.today()}, at {commit}, libcurl {everything['library']}: {everything['rounds']} rounds"
    said += ", a fifth of the requests." if everything["quick"] else "."
    with open(page) as file:
        text = file.read()
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit(f"{page} has no place for the table: {BEGIN} … {END}")
    with open(page, "w") as file:
        file.write(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n\n{said}\n{END}{after}")


main()
