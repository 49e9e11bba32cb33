#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mote::engine {

/// The shortest decimal text that reads back as the same number.
std::string number_text(double value);

/// The text in double quotes, with quotes, backslashes and control characters escaped.
std::string quoted(std::string_view text);

/// Text of others (scenes, files, names) as a terminal may show it: control characters, which could
/// move the cursor or change the terminal, marks that turn the direction of writing (Unicode's
/// bidirectional controls), which could show a text as another one, and invalid UTF-8 are written
/// as escapes, "\u001b". Line feeds and tabs stay. In a JSON text these are JSON's escapes.
std::string printable(std::string_view text);

std::string joined(const std::vector<std::string>& words, std::string_view separator);

/// The candidate that `word` is most likely a misspelling of (small edit distance), or "". Ignores
/// case, and knows synonyms used by other programs (parsec for pc, count for n).
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

/// Whether other programs call what is named `ours` here by this word.
bool is_synonym(std::string_view word, std::string_view ours);

/// "did you mean 'softening'?"; or, if no candidate is close, `otherwise` and all candidates:
/// "known: mass, x".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise);

/// "1,234,567".
std::string with_thousands(long long count);

/// "1 thread", "16 threads", "2 bodies".
std::string counted(long long count, std::string_view noun);

/// "1.5 KiB", "20.0 GiB".
std::string bytes_text(double bytes);

/// "1.23 us", "4.567 ms", "1.234 s".
std::string short_time_text(double seconds);

/// "NAME".
std::string upper_case(std::string text);

/// "2.4 s", "3 min 20 s", "5 h 12 min".
std::string duration_text(double seconds);

/// True for well-formed UTF-8: other text cannot be written to JSON.
bool is_utf8(std::string_view text);

}  // namespace mote::engine
