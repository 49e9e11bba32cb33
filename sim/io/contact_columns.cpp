#include "sim/io/contact_columns.h"

#include "engine/check.h"

namespace mote::sim {

std::vector<SnapshotColumn> columns_of(const ContactNetwork& contacts) {
  std::vector<SnapshotColumn> columns;
  for_each_column(
      contacts, [&]<class T, class... More>(const char* name, const char* quantity,
                                            const std::vector<T>& first, const More&... more) {
        MOTE_EXPECT(first.size() == contacts.size() && ((more.size() == contacts.size()) && ...));
        columns.push_back({name, quantity,
                           Components<T>{{std::span<const T>(first), std::span<const T>(more)...},
                                         1 + sizeof...(more)}});
      });
  return columns;
}

}  // namespace mote::sim
