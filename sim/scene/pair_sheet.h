#pragma once

#include <utility>

#include "engine/params.h"

namespace mote::sim {

/// The sheet of an item of a list that SceneReading::species_pairs reads: with the two species,
/// which are no parameter of its owner.
inline engine::ParamSheet pair_sheet(engine::ParamSheet item) {
  engine::ParamSheet::Row row{
      {.name = "species", .help = "names of the two species, { \"a\", \"b\" }", .required = true},
      engine::ParamType::text,
      {},
      true};
  item.rows.insert(item.rows.begin(), std::move(row));
  return item;
}

}  // namespace mote::sim
