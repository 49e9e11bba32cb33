#include "sim/io/text_columns.h"

#include <charconv>
#include <cmath>

namespace mote::sim {
namespace {

constexpr std::size_t buffer_size = 1 << 20;

/// Buffered text output.
class Lines {
 public:
  explicit Lines(engine::AtomicFile& file) : file_(file) {}

  template <class T>
  void number(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return text("nan");  // without the sign, which is meaningless
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
  void separator(char c) { text_ += c; }
  void end_line() {
    text_ += '\n';
    if (text_.size() >= buffer_size) flush();
  }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

 private:
  engine::AtomicFile& file_;
  std::string text_;
};

}  // namespace

void write_lines(engine::AtomicFile& file, const std::vector<SnapshotColumn>& columns,
                 char separator, const std::vector<std::string>& species) {
  Lines lines(file);
  const std::size_t rows =
      std::visit([](const auto& numbers) { return numbers.rows(); }, columns.front().numbers);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const SnapshotColumn& column : columns)
      std::visit(
          [&]<class T>(const Components<T>& numbers) {
            for (std::size_t c = 0; c < numbers.count; ++c) {
              if (&column != &columns.front() || c > 0) lines.separator(separator);
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
