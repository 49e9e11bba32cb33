#include "app/commands/help_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/commands/help_text.h"
#include "app/scene_title.h"
#include "app/scenes.h"
#include "engine/files.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// Entries with the word, those that have it in their name first.
class Found {
 public:
  Found(std::string title, std::string about, const std::string& word)
      : section_{std::move(title), {}, std::move(about)}, word_(word) {}

  /// `more`: further text in which the word may be.
  void add(const std::string& name, const std::string& text, const std::string& more = "") {
    if (has_word(name, word_))
      section_.entries.insert(section_.entries.begin() + named_++, HelpEntry{name, "", text});
    else if (has_word(text, word_) || has_word(more, word_))
      section_.entries.push_back(HelpEntry{name, "", text});
  }

  bool print() {
    constexpr std::size_t most = 12;
    const std::size_t all = section_.entries.size();
    if (all == 0) return false;
    if (all > most) {
      section_.entries.resize(most);
      section_.entries.push_back(HelpEntry{"...", "", fmt::format("{} more", all - most)});
    }
    print_section(section_);
    return true;
  }

 private:
  HelpSection section_;
  std::string word_;
  std::ptrdiff_t named_ = 0;
};

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string headings_of(const std::string& page) {
  std::string headings;
  for (std::size_t at = page.find("\n## "); at != page.npos; at = page.find("\n## ", at + 1))
    headings += page.substr(at, page.find('\n', at + 1) - at);
  return headings;
}

/// Pages of the folder of documents, beside that of the scenes, by their headings.
void add_pages(const fs::path& folder, Found& pages) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string text = engine::read_file(file), heading = first_line(text);
    pages.add(file.string(),
              heading.substr(std::min(heading.find_first_not_of("# "), heading.size())),
              headings_of(text));
  }
}

}  // namespace

bool print_found(const CLI::App& program, const std::string& word) {
  constexpr std::size_t shortest = 3;
  if (word.size() < shortest) return false;
  Found commands("Commands", "", word), tables("Tables of scenes", "", word),
      keys("Keys of scenes", "`mote help KEY` describes one.", word),
      scenes("Scenes that come with mote", "", word), pages("Documents", "", word);
  for (const CLI::App* command : commands_of(program))
    commands.add(command->get_name(), command->get_description());
  for (const engine::ParamSheet& sheet : sim::scene_sheets()) {
    tables.add(sheet.name, sheet.help);
    for (const engine::ParamSheet::Row& row : sheet.rows)
      keys.add(sheet.name + "." + row.info.name, row.info.help);
  }
  for (const fs::path& scene : shipped_scenes()) {
    const std::string text = engine::read_file(scene);
    scenes.add(scene.stem().string(), title_in(text), text);
  }
  if (const fs::path folder = scenes_folder(); !folder.empty())
    add_pages(folder.parent_path() / "docs", pages);
  bool any = false;
  for (Found* section : {&commands, &tables, &keys, &scenes, &pages}) any = section->print() || any;
  return any;
}

}  // namespace mote::app
