"""Draws the results of Scripts/transport-bench as an SVG: each client's CPU time as a multiple of raw libcurl's.

    RESULTS=results.json Scripts/transport-bench …
    python3 Transport/chart.py results.json ../Docs/Charts/transport-cpu.svg
"""

import json, statistics, sys

COLOURS = {
    "ours-loop": "#c0392b", "ours": "#e59866", "AsyncHTTPClient": "#5d8aa8", "URLSession": "#b2babb", "Go": "#58a55c",
}
TITLES = {
    "h1-1": "1 KiB, 1 in flight", "h1-64": "1 KiB, 64 in flight", "h1-512": "1 KiB, 512 in flight",
    "h2-64": "1 KiB, HTTP/2, 64 in flight", "100k": "100 KiB, 16 in flight", "gzip": "1 MiB, gzip, 16 in flight",
    "zstd": "1 MiB, zstd, 16 in flight", "down": "1 GiB to a reader",
    "down-file": "1 GiB to a file", "up-file": "1 GiB from a file", "up": "1 GiB from a sequence",
    "fresh": "a TLS connection each",
}
LONGEST = 4.0  # a longer bar is cut and labelled with its number
LEFT, WIDTH, BAR, GAP, TOP = 190, 640, 12, 14, 62


def ratios(results):
    base = [round["cost"] for round in results["rawcurl"]]
    for name in COLOURS:
        if rounds := results.get(name):
            yield name, statistics.median(one["cost"] / b for one, b in zip(rounds, base))


def draw(everything):
    scale = WIDTH / LONGEST
    parts, y = [], TOP
    for workload, title in TITLES.items():
        if workload not in everything:
            continue
        bars = list(ratios(everything[workload]["results"]))
        parts.append(f'<text x="{LEFT - 8}" y="{y + len(bars) * BAR / 2 + 4}" text-anchor="end">{title}</text>')
        for name, ratio in bars:
            width = min(ratio, LONGEST) * scale
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{COLOURS[name]}"/>')
            parts.append(f'<text x="{LEFT + width + 4:.1f}" y="{y + 9}" font-size="10">{ratio:.2f}</text>')
            y += BAR
        y += GAP
    grid = [
        f'<line x1="{LEFT + n * scale}" x2="{LEFT + n * scale}" y1="{TOP - 6}" y2="{y - GAP + 4}" '
        f'stroke="{"#333" if n == 1 else "#ddd"}"/>'
        f'<text x="{LEFT + n * scale}" y="{TOP - 12}" text-anchor="middle">{n} ×</text>'
        for n in range(int(LONGEST) + 1)
    ]
    legend, x = [], LEFT
    for name, colour in COLOURS.items():
        legend.append(f'<rect x="{x}" y="26" width="10" height="10" fill="{colour}"/><text x="{x + 14}" y="35">{name}</text>')
        x += 40 + 7 * len(name)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 50} {y}" font-family="sans-serif" '
        'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{LEFT}" y="18" font-size="15">CPU time, as a multiple of raw libcurl’s</text>'
    )
    return "\n".join([head, *legend, *grid, *parts, "</svg>\n"])


with open(sys.argv[1]) as results, open(sys.argv[2], "w") as chart:
    chart.write(draw(json.load(results)["workloads"]))
