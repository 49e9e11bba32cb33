"""Reads the Markdown of this project as GitHub does: lines, links, anchors, and the order of the pages in docs/README.md.

For script/docs, which makes a site of it, and tests/script/test_docs.py, which checks it.
"""
import collections
import pathlib
import posixpath
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
INDEX = "docs/README.md"

MARKER = re.compile(r"([-*+]|\d{1,9}[.)])( +)(?=\S)")
FENCE = re.compile(r"(`{3,}|~{3,})")
HEADING = re.compile(r"(#{1,6}) +(.*?)(?: +#+)?$")
# A code span, which hides what looks like a link in it, or a link; links in brackets of a link are not used here.
SPAN_OR_LINK = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|"
                          r"(?P<open>!?\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\()(?P<target>[^()\s]+)\)", re.S)

Line = collections.namedtuple("Line", "kind level text")  # kind: blank, code, item, heading, table, text


def scan(text):
    """Its lines: what each is, in how many items of lists it lies, and its text without their indentation."""
    items, fence, paragraph, lines = [], None, False, []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            lines.append(Line("code" if fence else "blank", len(items), ""))
            paragraph = paragraph and fence is not None
            continue
        if fence:
            inside = line[min(indent, items[-1] if items else 0):]
            lines.append(Line("code", len(items), inside))
            if inside.strip().startswith(fence) and not inside.strip().strip(fence[0]):
                fence = None
            continue
        marker = MARKER.match(line, indent)
        if not paragraph or marker or HEADING.match(line):
            while items and indent < items[-1]:
                items.pop()
        base = items[-1] if items else 0
        inside = line[min(indent, base):]
        if indent - base >= 4 and not paragraph:
            lines.append(Line("code", len(items), inside))
        elif FENCE.match(line, indent):
            fence = FENCE.match(line, indent)[1]
            lines.append(Line("code", len(items), inside.lstrip()))
        elif marker and indent - base < 4:
            lines.append(Line("item", len(items), line.lstrip()))
            items.append(marker.end())
            paragraph = True
        elif HEADING.match(inside):
            lines.append(Line("heading", len(items), inside))
            paragraph = False
        else:
            lines.append(Line("table" if inside.startswith("|") else "text", len(items), inside.lstrip()))
            paragraph = not inside.startswith("|")
    return lines


def replace_links(lines, replace):
    """The lines with other targets of their links: what `replace(target)` returns."""
    found, run = [], []

    def finish():
        joined = "\n".join(line.text for line in run)
        joined = SPAN_OR_LINK.sub(lambda m: m[0] if m["ticks"] else f"{m['open']}{replace(m['target'])})", joined)
        found.extend(line._replace(text=text) for line, text in zip(run, joined.split("\n")))
        run.clear()

    for line in lines:
        if line.kind in ("text", "item") and not (line.kind == "item" and run):
            run.append(line)
            continue
        if run:
            finish()
        if line.kind == "item":
            run.append(line)
        elif line.kind in ("heading", "table"):
            run.append(line)
            finish()
        else:
            found.append(line)
    if run:
        finish()
    return found


def links(text):
    """Targets of all links and pictures, in their order."""
    targets = []
    replace_links(scan(text), lambda target: targets.append(target) or target)
    return targets


def slug(heading):
    """The anchor of a heading: small letters, without punctuation, - for spaces."""
    heading = SPAN_OR_LINK.sub(lambda m: m[0] if m["ticks"] else m["text"], heading)
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text):
    return [HEADING.match(line.text)[2] for line in scan(text) if line.kind == "heading"]


def anchors(text):
    """All anchors; a heading that is there twice gets a number."""
    counted, found = collections.Counter(), set()
    for heading in headings(text):
        name = slug(heading)
        found.add(f"{name}-{counted[name]}" if counted[name] else name)
        counted[name] += 1
    return found


def title(text):
    return next(iter(headings(text)), "").replace("`", "")


def outside(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def resolve(page, target):
    """The file, from the root of the project, and the anchor that a link of a page means."""
    path, _, anchor = target.partition("#")
    if not path:
        return page, anchor
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)), anchor


def markdown_files():
    """All pages of the project: those that git knows or would take, or, without git, those of its folders."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True,
                            check=False)
    names = listed.stdout.split() if listed.returncode == 0 else []
    if not names:
        names = [str(path.relative_to(ROOT)) for pattern in ("*.md", "docs/**/*.md", "scenes/*.md", "tests/**/*.md") for path in ROOT.glob(pattern)]
    return sorted(name for name in names if (ROOT / name).is_file())


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


Entry = collections.namedtuple("Entry", "title page below")


def order():
    """Sections of docs/README.md: a name and what its list holds, in order: entries, those of a README.md in a folder of docs with
    the pages that it lists, and comments such as `<!-- commands -->`, where script/docs puts what it makes."""
    sections = []
    for line in scan(read(INDEX)):
        if line.kind == "heading" and line.text.startswith("## "):
            sections.append((line.text[3:], []))
        link = SPAN_OR_LINK.search(line.text)
        if not sections:
            continue
        if re.fullmatch(r"<!-- \w+ -->", line.text):
            sections[-1][1].append(line.text)
        elif line.kind == "item" and link and link["target"]:
            page, _ = resolve(INDEX, link["target"])
            below = []
            if page.startswith("docs/") and page.endswith("/README.md"):
                below = [resolve(page, target)[0] for target in links(read(page)) if not outside(target)]
                below = [other for other in dict.fromkeys(below) if posixpath.dirname(other) == posixpath.dirname(page)]
            sections[-1][1].append(Entry(link["text"], page, below))
    return sections


def ordered_pages():
    """The pages that the navigation reaches."""
    entries = [entry for _, listed in order() for entry in listed if isinstance(entry, Entry)]
    return {INDEX} | {page for entry in entries for page in (entry.page, *entry.below)}
