#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "engine/packed.h"

/// mote-read: request handlers. See engine/read_process.h.
namespace mote::reader {

/// An invalid file; the caller adds its name to the message.
struct Refusal : std::runtime_error {
  Refusal(const std::string& problem, std::string remedy_text = "")
      : std::runtime_error(problem), remedy(std::move(remedy_text)) {}
  std::string remedy;
};

// The functions after `open_hdf5` act on the file opened last.
void open_hdf5(engine::Unpacker& request, engine::Packer& answer);
void rows_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void columns_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void block_of_hdf5(engine::Unpacker& request, engine::Packer& answer);
void text_of_hdf5(engine::Unpacker& request, engine::Packer& answer);

}  // namespace mote::reader
