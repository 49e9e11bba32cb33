#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "engine/packed.h"

/// mote-read: what each request does. See engine/read_process.h.
namespace mote::reader {

/// The file is wrong: `what` says how. Which file it is, who asks knows.
struct Refusal : std::runtime_error {
  Refusal(const std::string& problem, std::string what_to_do = "")
      : std::runtime_error(problem), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

// Of the HDF5 file that was opened last.
void open_hdf5(engine::Unpacker& request, engine::Packer& answer);
void rows_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void columns_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void block_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void text_of_hdf5(engine::Unpacker& request, engine::Packer& answer);

/// All triangles of a file of meshes.
void mesh(engine::Unpacker& request, engine::Packer& answer);

}  // namespace mote::reader
