#include "sim/run/rows.h"

#include <utility>

namespace mote::sim {

void Rows::add(const Measurement& row) {
  if (row.step % every_ != 0) return;
  if (!rows_.empty() && row.step <= rows_.back().step) return;
  rows_.push_back(row);
  if (rows_.size() <= most) return;
  every_ *= 2;
  std::erase_if(rows_, [this](const Measurement& m) { return m.step % every_ != 0; });
  ++version_;
}

void Rows::cut(std::uint64_t step) {
  const std::size_t before = rows_.size();
  while (!rows_.empty() && rows_.back().step > step) rows_.pop_back();
  if (rows_.size() != before) ++version_;
}

void Rows::follow(const Rows& other) {
  if (version_ != other.version_ || rows_.size() > other.rows_.size()) {
    *this = other;
    return;
  }
  rows_.insert(rows_.end(), other.rows_.begin() + static_cast<std::ptrdiff_t>(rows_.size()),
               other.rows_.end());
}

}  // namespace mote::sim
