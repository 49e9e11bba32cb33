"""Documents are read in terminals, in diffs and as a site: short lines, links that lead somewhere, no page that none lists."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "script"))
import docs_pages as pages  # noqa: E402

WIDTH = 120


def long_lines(text):
    """Numbers of lines that are too long: not in tables, code and comments of generated pages."""
    found, code = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            code = not code
        if not code and len(line) > WIDTH and not line.startswith(("|", "    ", "<!--")):
            found.append(number)
    return found


def broken_links(page, text):
    """Links of a page to files that are not there, and to anchors that are not in them."""
    found = []
    for target in pages.links(text):
        if pages.outside(target):
            continue
        name, anchor = pages.resolve(page, target)
        inside = text if name == page else ""
        if not inside and not (ROOT / name).exists():
            found.append(f"{target}: no such file")
        elif anchor and name.endswith(".md") and anchor not in pages.anchors(inside or pages.read(name)):
            found.append(f"{target}: no such heading")
    return found


class Documents(unittest.TestCase):
    def setUp(self):
        self.files = pages.markdown_files()

    def test_have_short_lines(self):
        for name in self.files:
            with self.subTest(file=name):
                self.assertEqual(long_lines(pages.read(name)), [])

    def test_have_no_link_that_leads_nowhere(self):
        for name in self.files:
            with self.subTest(file=name):
                self.assertEqual(broken_links(name, pages.read(name)), [])

    def test_are_all_in_the_list_of_pages(self):
        listed = pages.ordered_pages()
        self.assertEqual([name for name in self.files if name not in listed], [], f"list them in {pages.INDEX}")
        self.assertGreater(len(listed), 50)


class Checks(unittest.TestCase):
    def test_of_lines_find_a_paragraph_and_no_table(self):
        self.assertEqual(long_lines("a" * 121 + "\n| " + "b" * 130 + "\n```\n" + "c" * 130 + "\n```\n" + "d" * 121), [1, 6])

    def test_of_links_find_files_and_headings_that_are_not_there(self):
        text = ("# A `b` (c), d\n\n[1](#a-b-c-d) [2](#a-b) [3](gone.md) [over\nlines](../README.md#none) `[4](code.md)` ![5](no.png)\n\n"
                "    [6](code.md)\n\n- item [7](https://example.org)\n  - [`8`](gone.md)\n\n        [9](code.md)\n\n| [10](cell.md) |\n|---|\n")
        self.assertEqual([problem.partition(":")[0] for problem in broken_links("docs/page.md", text)],
                         ["#a-b", "gone.md", "../README.md#none", "no.png", "gone.md", "cell.md"])

    def test_of_lists_tell_items_from_code(self):
        kinds = [(line.kind, line.level) for line in pages.scan("a\n- b\n  c\n  - d\n\n        e\n\n    f\n\ng\n```\n- h\n```\n1. i")]
        self.assertEqual([pair for pair in kinds if pair[0] != "blank"],
                         [("text", 0), ("item", 0), ("text", 1), ("item", 1), ("code", 2), ("text", 2), ("text", 0), ("code", 0), ("code", 0),
                          ("code", 0), ("item", 0)])


if __name__ == "__main__":
    unittest.main()
