"""Prints the tables of the results of http_versions.py. With a page and a chart, writes the tables into the page, between its two
comments, and draws the chart; called by Scripts/http-versions.

    python3 Transport/http_versions_report.py RESULTS.json [../Docs/Performance.md ../Docs/Charts/http-versions.svg COMMIT]
"""

import datetime, json, statistics, sys
from math import comb

BEGIN, END = "<!-- http-versions: begin -->", "<!-- http-versions: end -->"
TITLES = {
    "100k": "32 requests of 100 KiB, 16 in flight", "1k-4": "120 requests of 1 KiB, 4 in flight",
    "1k": "480 requests of 1 KiB, 16 in flight", "10m": "download of 10 MiB",
    "start": "start of a process to its first response",
}
SHORT = {"100k": "100 KiB", "1k-4": "1 KiB, 4 in flight", "1k": "16 in flight", "10m": "10 MiB", "start": "a start"}
COSTS = {"200m": "download of 200 MiB", "1k-64": "10,000 requests of 1 KiB, 64 in flight"}
COLOURS = {"HTTP/2": "#5d8aa8", "HTTP/3": "#c0392b", "HTTP/2, BBR": "#b2babb", "HTTP/2, Reno": "#58a55c"}


def interval(values):
    """Returns the median and its confidence interval of at least 95 %, or the range if there are too few values."""
    ordered, n = sorted(values), len(values)
    rank = 0
    while 2 * sum(comb(n, i) for i in range(rank + 2)) / 2**n <= 0.05:
        rank += 1
    return statistics.median(ordered), ordered[rank], ordered[n - 1 - rank]


def time_of(name, run):
    return run["first_s" if name == "start" else "wall_s"]


def good(rounds, arm):
    return [one[arm] for one in rounds if "failed" not in one[arm]]


def number(value, digits):
    return f"{value:,.{digits}f}"


def seconds(value):
    return f"{value * 1e3:,.0f} ms" if value < 1 else f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def ratio(rounds, get, arm="HTTP/3", base="HTTP/2"):
    pairs = [(one[arm], one[base]) for one in rounds if "failed" not in one[arm] and "failed" not in one[base]]
    if not pairs:
        return "–"
    middle, low, high = interval([get(a) / get(b) for a, b in pairs])
    return f"{middle:.2f} [{low:.2f}–{high:.2f}]"


def cell(rounds, arm, get):
    runs = good(rounds, arm)
    return seconds(statistics.median(get(run) for run in runs)) if runs else "failed"


def links(everything):
    return [condition for condition in everything["conditions"] if condition["loss"] is not None]


def arms(everything):
    condition = links(everything)[0]
    return list(next(iter(condition["workloads"].values()))[0])


def times(everything):
    names = arms(everything)
    lines = ["| | lost | " + " | ".join(names) + " | HTTP/3 : HTTP/2 |", "|---|--:|" + "--:|" * (len(names) + 1)]
    for name, title in TITLES.items():
        for condition in [condition for condition in links(everything) if name in condition["workloads"]]:
            rounds = condition["workloads"][name]
            get = lambda run: time_of(name, run)
            row = [title, f"{condition['loss']:.0%}", *(cell(rounds, arm, get) for arm in names), ratio(rounds, get)]
            lines.append("| " + " | ".join(row) + " |")
    return lines


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def tails(everything):
    """The time that 95 of 100 requests take at most: the median of the rounds, or over all processes."""
    names = arms(everything)
    lines = ["| 95 of 100 requests take at most | lost | " + " | ".join(names) + " | HTTP/3 : HTTP/2 |", "|---|--:|" + "--:|" * (len(names) + 1)]
    for name in [name for name in TITLES if name != "10m"]:
        for condition in [condition for condition in links(everything) if name in condition["workloads"]]:
            rounds = condition["workloads"][name]
            row = [TITLES[name], f"{condition['loss']:.0%}"]
            if name == "start":
                whole = {arm: quantile([time_of(name, run) for run in good(rounds, arm)] or [float("nan")], 0.95) for arm in names}
                row += [*(seconds(whole[arm]) for arm in names), number(whole["HTTP/3"] / whole["HTTP/2"], 2)]
            else:
                get = lambda run: run["p95_us"] / 1e6
                row += [*(cell(rounds, arm, get) for arm in names), ratio(rounds, get)]
            lines.append("| " + " | ".join(row) + " |")
    return lines


def costs(everything):
    # On the link, the kernel handles packets that arrive on the time of the link's process, so nginx's own is not all.
    lines = ["| HTTP/3, × HTTP/2 | time | CPU of the client | CPU of client and nginx |", "|---|--:|--:|--:|"]
    for condition in everything["conditions"]:
        if condition["loss"] is None:
            rows = {name: f"{title}, loopback" for name, title in COSTS.items()}
        elif condition["loss"] == 0:
            rows = {name: f"{TITLES[name]}, link without loss" for name in ("10m", "1k")}
        else:
            continue
        for name, title in [(name, title) for name, title in rows.items() if name in condition["workloads"]]:
            rounds = condition["workloads"][name]
            parts = [ratio(rounds, lambda run, key=key: run[key]) for key in ("wall_s", "cpu_s")]
            is_whole = condition["loss"] is None
            parts.append(ratio(rounds, lambda run: run["cpu_s"] + run["server_cpu_s"]) if is_whole else "–")
            lines.append(f"| {title} | " + " | ".join(parts) + " |")
    return lines


def facts(everything, commit):
    lost = []
    for condition in links(everything):
        both = [way for lane in condition["link"] for way in lane]
        sent = sum(way["forwarded"] + way["lost"] for way in both)
        if condition["loss"]:
            lost.append(f"{sum(way['lost'] for way in both) / sent:.1%} of {sent:,} packets")
    every = [run for c in everything["conditions"] for rounds in c["workloads"].values() for one in rounds for run in one.values()]
    failed = sum("failed" in run for run in every)
    connections = max(run["connections"] for run in every if "failed" not in run)
    lanes = max(condition["lanes"] for condition in everything["conditions"])
    lossy = [condition for condition in links(everything) if condition["loss"]]
    counts = ", ".join(f"{len(rounds)} of {SHORT[name]}" for name, rounds in lossy[0]["workloads"].items()) if lossy else "none"
    text = (
        f"{datetime.date.today()}, at {commit}, libcurl {everything['library']}, nginx {everything['server']}: {everything['rounds']} rounds "
        f"(with loss: {counts}); {everything['rate_mbit']:g} Mbit/s, {2 * everything['delay_ms']:g} ms, a queue of "
        f"{everything['queue_ms']:g} ms; {lanes} links at a time where packets are lost."
    )
    text += f" Lost were {' and '.join(lost)}." if lost else ""
    text += f" Every client used {'one connection' if connections == 1 else f'at most {connections} connections'}."
    return text + (f" {failed} of {len(every):,} runs failed, and count nowhere." if failed else " No run failed.")


def draw(everything):
    """A panel for each workload, with a scale of its own: a group of bars for each loss."""
    names, width, bar, gap, top, left = arms(everything), 250, 13, 10, 70, 52
    groups = len(links(everything))
    height = groups * (len(names) * bar + gap) + 44
    parts = []
    for position, (name, title) in enumerate(TITLES.items()):
        x, y = left + position % 2 * (width + 140), top + position // 2 * height
        parts.append(f'<text x="{x}" y="{y}" font-size="13" font-weight="bold">{title}</text>')
        medians = {
            (condition["loss"], arm): statistics.median(time_of(name, run) for run in good(condition["workloads"][name], arm))
            for condition in links(everything) for arm in names if good(condition["workloads"][name], arm)
        }
        longest = max(medians.values())
        y += 10
        parts.append(f'<line x1="{x}" x2="{x}" y1="{y - 2}" y2="{y + height - 42 - gap}" stroke="#333"/>')
        for condition in links(everything):
            loss = condition["loss"]
            parts.append(f'<text x="{x - 8}" y="{y + len(names) * bar / 2 + 4}" text-anchor="end">{loss:.0%}</text>')
            for arm in names:
                if (loss, arm) in medians:
                    length = medians[loss, arm] / longest * width
                    parts.append(f'<rect x="{x}" y="{y}" width="{length:.1f}" height="{bar - 2}" fill="{COLOURS[arm]}"/>')
                    parts.append(f'<text x="{x + length + 4:.1f}" y="{y + 9.5}" font-size="10">{seconds(medians[loss, arm])}</text>')
                y += bar
            y += gap
    legend, x = [], left
    for arm in names:
        said = arm if "," in arm else f"{arm}, CUBIC"
        legend.append(f'<rect x="{x}" y="32" width="10" height="10" fill="{COLOURS[arm]}"/><text x="{x + 14}" y="41">{said}</text>')
        x += 44 + 7 * len(said)
    whole = f"{left + 2 * width + 140 + 70} {top + (len(TITLES) + 1) // 2 * height - 20}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole}" font-family="sans-serif" font-size="12">\n'
        '<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{left}" y="20" font-size="15">Time over a round trip of {2 * everything["delay_ms"]:g} ms, by the packets that are lost</text>'
    )
    return "\n".join([head, *legend, *parts, "</svg>\n"])


def main():
    with open(sys.argv[1]) as file:
        everything = json.load(file)
    page, chart, commit = sys.argv[2:] or (None, None, "an unknown commit")
    tables = [times(everything), tails(everything), costs(everything)]
    text = "\n\n".join("\n".join(table) for table in tables) + "\n\n" + facts(everything, commit) + "\n"
    print(text, end="")
    if not page:
        return
    with open(chart, "w") as file:
        file.write(draw(everything))
    with open(page) as file:
        before, _, rest = file.read().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit(f"{page} has no place for the tables: {BEGIN} … {END}")
    with open(page, "w") as file:
        file.write(f"{before}{BEGIN}\n{text}{END}{after}")


main()
