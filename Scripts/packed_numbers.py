"""Numbers as text, for tables in Swift sources; `PackedNumbers` in InternationalDomainNames reads them.

A digit is one of 91 ASCII characters, from "#" to "~" without the backslash. The text is an arithmetic code.
"""

import hashlib
import os
import sys

DIGITS = [chr(code) for code in range(ord("#"), ord("~") + 1) if chr(code) != "\\"]
BASE = len(DIGITS)
# The least width of an interval.
NARROW = BASE**7


def signed(number):
    """Returns 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …"""
    return 2 * number if number >= 0 else -2 * number - 1


class Coder:
    def __init__(self):
        self.start, self.width, self.count = 0, NARROW * BASE, 8
        self.chances = {}

    def add(self, bit, chance=None):
        """Adds a bit; `chance` identifies the likelihood that it shares with others, out of 4096."""
        likely = self.chances.get(chance, 2048)
        zeros = (self.width >> 12) * likely
        if bit:
            self.start, self.width = self.start + zeros, self.width - zeros
        else:
            self.width = zeros
        while self.width < NARROW:
            self.start, self.width, self.count = self.start * BASE, self.width * BASE, self.count + 1
        if chance is not None:
            self.chances[chance] = likely - (likely >> 5) if bit else likely + (4096 - likely >> 5)

    def text(self):
        """Returns the shortest fraction in the interval."""
        digits = 0
        while digits < self.count and -(-self.start // BASE**(digits + 1)) * BASE**(digits + 1) < self.start + self.width:
            digits += 1
        fraction, text = -(-self.start // BASE**digits), []
        for _ in range(self.count - digits):
            fraction, digit = divmod(fraction, BASE)
            text.append(DIGITS[digit])
        return "".join(reversed(text)).rstrip(DIGITS[0])


def packed(numbers):
    """Returns the text of numbers from 0 on, as `PackedNumbers.next` reads it."""
    coder = Coder()
    for number in [*numbers, -1]:
        bits = bin(number + 2)[3:]
        node = 1
        for bit in f"{len(bits):05b}":
            coder.add(int(bit), (0, node))
            node = node << 1 | int(bit)
        node = 1
        for place, bit in enumerate(bits, 1):
            coder.add(int(bit), (len(bits), node if node < 16 else 16) if node < 16 or place == len(bits) else None)
            node = node << 1 | int(bit)
    return coder.text()


def literal(text, indent):
    """Returns a string literal of several lines, indented by that many spaces."""
    margin = " " * indent
    width = 99 - len(margin)
    lines = [text[start:start + width] for start in range(0, len(text), width)]
    body = "\\\n".join(margin + line for line in lines)
    return f'"""\n{body}\n{margin}"""'


def data_folder(name):
    """Returns the folder of the standards' files: the argument, `HTTP_STANDARDS_DATA`, or beside the checkout."""
    beside = os.path.join(os.path.dirname(__file__), "..", "..", "shared", "data")
    argument = sys.argv[1] if len(sys.argv) > 1 else None
    root = argument or os.environ.get("HTTP_STANDARDS_DATA") or beside
    return os.path.join(root, name)


def identifier(path):
    """Returns the SHA-256 of a file, to identify its edition."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_source(path, text):
    """Writes a file of the project, by its path from the project's root."""
    root = os.path.join(os.path.dirname(__file__), "..")
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(text)
