"""Numbers as text, for tables in Swift sources; `PackedNumbers` in HTTPCore reads them.

A digit is one of 91 ASCII characters, from "#" to "~" without the backslash. The first digit of a
number gives the count of further digits: below 45 none, below 82 one, below 89 two, below 90 three, else four.
"""

import hashlib
import os
import sys

DIGITS = [chr(code) for code in range(ord("#"), ord("~") + 1) if chr(code) != "\\"]
BASE = len(DIGITS)
# The first digits of numbers with one, two, three, four and five digits begin at these values.
FIRST = (0, 45, 82, 89, 90, 91)


def signed(number):
    """Returns 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …"""
    return 2 * number if number >= 0 else -2 * number - 1


def packed(numbers):
    text = []
    for number in numbers:
        for more, (first, last) in enumerate(zip(FIRST, FIRST[1:])):
            count = (last - first) * BASE**more
            if number < count:
                break
            number -= count
        else:
            raise ValueError("a number is too large")
        digits = []
        for _ in range(more):
            number, digit = divmod(number, BASE)
            digits.append(DIGITS[digit])
        text.append(DIGITS[first + number] + "".join(reversed(digits)))
    return "".join(text)


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
