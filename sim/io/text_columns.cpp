#include "sim/io/text_columns.h"

#include <charconv>
#include <cmath>

namespace mote::sim {
namespace {

constexpr std::size_t written_at_once = 1 << 20;

/// Text that goes to a file in large pieces.
class Lines {
 public:
  explicit Lines(engine::WholeFile& file) : file_(file) {}

  template <class T>
  void number(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return text("nan");  // a NaN has a sign, which means nothing
    }
    char digits[32];
    const auto end = [&] {
      if constexpr (std::is_floating_point_v<T>)
        return std::to_chars(digits, digits + sizeof digits, static_cast<double>(value));
      else
        return std::to_chars(digits, digits + sizeof digits, value);
    }();
    text_.append(digits, end.ptr);
  }
  void text(std::string_view some) { text_ += some; }
  void mark(char c) { text_ += c; }
  void end_line() {
    text_ += '\n';
    if (text_.size() >= written_at_once) flush();
  }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

 private:
  engine::WholeFile& file_;
  std::string text_;
};

}  // namespace

void write_lines(engine::WholeFile& file, const std::vector<SnapshotColumn>& columns,
                 char separator, const std::vector<std::string>& species) {
  Lines lines(file);
  const std::size_t rows =
      std::visit([](const auto& numbers) { return numbers.rows(); }, columns.front().numbers);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const SnapshotColumn& column : columns)
      std::visit(
          [&]<class T>(const Components<T>& numbers) {
            for (std::size_t c = 0; c < numbers.count; ++c) {
              if (&column != &columns.front() || c > 0) lines.mark(separator);
              const T value = numbers.part[c][row];
              if constexpr (std::is_same_v<T, std::uint8_t>)
                lines.text(value < species.size() ? species[value] : species.front());
              else
                lines.number(value);
            }
          },
          column.numbers);
    lines.end_line();
  }
  lines.flush();
}

}  // namespace mote::sim
