"""The documents as a site (script/docs): no link leads nowhere, nothing comes from a network, every page and command is there.

MOTE_PROGRAM: the program that the pages of commands come from; without it there are none.
"""
import ast
import html.parser
import json
import os
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "script"))
import docs_pages as pages  # noqa: E402

SKIPPED = 77
START = os.environ.get("MOTE_PROGRAM", "")


class Page(html.parser.HTMLParser):
    """Anchors of a page, its links, and what a browser loads with it."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded, self.text = set(), [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(attrs[key] for key in ("id", "name") if attrs.get(key))
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        elif "src" in attrs or (tag == "link" and "href" in attrs):
            self.loaded.append(attrs.get("src") or attrs["href"])

    def handle_data(self, data):
        self.text += data


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "site"
        done = subprocess.run([sys.executable, "-B", str(ROOT / "script/docs"), "--out", str(cls.site), "--start", START],
                              capture_output=True, text=True, check=False)
        if done.returncode == SKIPPED:
            print(done.stderr.strip())
            sys.exit(SKIPPED)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        places = re.search(r"^PLACES = (\{.*?\})$", pages.read("script/docs"), re.M | re.S)
        cls.places = ast.literal_eval(places[1])
        cls.pages = {str(path.relative_to(cls.site)): Page(path.read_text(encoding="utf-8")) for path in sorted(cls.site.rglob("*.html"))}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def problem(self, name, target):
        """Why a link within the site leads nowhere."""
        if target.startswith("/"):
            return "begins at the root of a server"
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if not (self.site / place).is_file():
            return "no such file"
        if anchor and place.endswith(".html") and anchor not in self.pages[place].anchors:
            return "no such anchor"
        return ""

    def test_has_no_link_that_leads_nowhere(self):
        wrong = {(name, target): self.problem(name, target) for name, page in self.pages.items() for target in page.links + page.loaded
                 if not pages.outside(target)}
        self.assertEqual({link: why for link, why in wrong.items() if why}, {})

    def test_loads_nothing_from_a_network(self):
        loaded = {target for page in self.pages.values() for target in page.loaded}
        self.assertEqual([target for target in loaded if pages.outside(target) or target.startswith("//")], [])
        for style in self.site.rglob("*.css"):
            self.assertEqual(re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", style.read_text(encoding="utf-8")), [], style.name)

    def test_links_elsewhere_only_where_a_page_does(self):
        written = {target for name in pages.markdown_files() for target in pages.links(pages.read(name))}
        self.assertEqual({target for page in self.pages.values() for target in page.links if pages.outside(target)} - written, set())

    def test_reaches_every_page_from_its_navigation(self):
        start = {posixpath.normpath(target.partition("#")[0]) for target in self.pages["index.html"].links}
        self.assertEqual([name for name in self.pages if name not in start and not name.startswith("source/")], [])

    def test_finds_words_of_every_page(self):
        index = json.loads((self.site / "search/search_index.json").read_text(encoding="utf-8"))
        found = {page["location"].partition("#")[0] for page in index["docs"]}
        self.assertEqual({name for name in self.pages if not name.startswith("source/")} - found, set())
        self.assertTrue(any("softening" in page["text"] for page in index["docs"]))
        # The same, for pages that were opened from disk.
        script = (self.site / "search/search_index.js").read_text(encoding="utf-8")
        self.assertEqual(json.loads(script.removeprefix("__search_index(").removesuffix(");\n")), index)

    def test_has_a_page_for_every_table_of_scenes(self):
        tables = re.findall(r"^## (\S+)\n(?:(?!^## ).*\n)*?\| key \| type", pages.read("docs/scenes.md"), re.M)
        self.assertGreater(len(tables), 40)
        self.assertEqual([name for name in tables if f"tables/{name}.html" not in self.pages], [])
        self.assertIn("softening", self.pages["tables/gravity.html"].text)

    def test_has_the_lists_code_and_tables_that_were_written(self):
        # GitHub and Python-Markdown differ in how far items and their code are indented, and where empty lines have to be.
        for name in pages.markdown_files():
            if name in ("docs/scenes.md", pages.INDEX):
                continue
            lines = pages.scan(pages.read(name))
            starts = [line for line, before in zip(lines, [pages.Line("blank", 0, ""), *lines]) if before.kind != line.kind]
            place = self.places.get(name, posixpath.splitext(name.removeprefix("docs/").replace("README", "index"))[0] + ".md")
            html = (self.site / place).with_suffix(".html").read_text(encoding="utf-8")
            article = re.search(r"<article.*?</article>", html, re.S)[0]
            with self.subTest(page=name):
                self.assertEqual(article.count("<li>"), sum(line.kind == "item" for line in lines))
                self.assertEqual(article.count("<table>"), sum(line.kind == "table" for line in starts))
                self.assertEqual(len(re.findall(r"<h[1-6] ", article)), sum(line.kind == "heading" for line in lines))

    @unittest.skipUnless(START, "MOTE_PROGRAM is not set")
    def test_has_a_page_for_every_command(self):
        listed = subprocess.run([START, "help"], capture_output=True, text=True, check=True).stdout
        for name in ("view", "run", "resume", "sweep", "check", "info", "plot", "render", "schema"):
            with self.subTest(command=name):
                self.assertRegex(listed, rf"(?m)^  {name} ")
                page = self.pages[f"commands/{name}.html"]
                self.assertIn("--help", page.text)
        self.assertIn("--snapshot-time", self.pages["commands/run.html"].text)


if __name__ == "__main__":
    unittest.main()
