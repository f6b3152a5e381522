"""Draws what a terminal shows: text with colours on standard input, an SVG on standard output.

    scenestore … --color always | draw.py --title TEXT --columns N
"""
import argparse
import sys

from rich.console import Console
from rich.text import Text

# As rich draws it, without its fonts from another server and without a frame around the window.
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
    font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--title", required=True)
    parser.add_argument("--columns", type=int, default=100)
    options = parser.parse_args()
    console = Console(record=True, width=options.columns, file=open("/dev/null", "w"), color_system="truecolor",
                      force_terminal=True, legacy_windows=False)
    console.print(Text.from_ansi(sys.stdin.read().rstrip("\n")), soft_wrap=False)
    sys.stdout.write(console.export_svg(title=options.title, code_format=FORMAT, unique_id="session"))


main()
