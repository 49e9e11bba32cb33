#include "engine/memory/device_messages.h"

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/check.h"
#include "engine/exec/cuda_check.h"
#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"

namespace mote::engine {

void allow_direct_copies(const Cuda& exec) {
  if (!exec.ranks || !exec.ranks->share_memory()) return;
  make_current(exec);
  for (const int other : gather_one(exec.ranks, exec.device)) {
    int can = 0;
    if (other == exec.device) continue;
    cuda_check(cudaDeviceCanAccessPeer(&can, exec.device, other), "cudaDeviceCanAccessPeer");
    if (can == 0) continue;
    const cudaError_t error = cudaDeviceEnablePeerAccess(other, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled)
      cudaGetLastError();  // an earlier simulation did; the error would stay
    else
      cuda_check(error, "cudaDeviceEnablePeerAccess");
  }
}

void DeviceMessages::send(int to, std::span<const std::byte> bytes) {
  sent_.push_back({to, bytes});
}

void DeviceMessages::receive(int from, std::span<std::byte> bytes) {
  received_.push_back({from, bytes});
}

void DeviceMessages::run(const Cuda& exec) {
  MOTE_EXPECT(exec.ranks);
  wait(exec);
  if (exec.ranks->share_memory())
    copy_between_devices(exec);
  else
    pass_through_host(exec);
  sent_.clear();
  received_.clear();
}

void DeviceMessages::copy_between_devices(const Cuda& exec) {
  struct Place {
    const void* at;
    std::size_t bytes;
  };
  Ranks& ranks = *exec.ranks;
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<std::vector<Place>> here(size), there(size);
  std::uint64_t sent_bytes = 0, received_bytes = 0;
  for (const Ranks::Outgoing& message : sent_) {
    here[static_cast<std::size_t>(message.to)].push_back(
        {message.bytes.data(), message.bytes.size()});
    sent_bytes += message.bytes.size();
  }
  for (const Ranks::Incoming& message : received_)
    there[static_cast<std::size_t>(message.from)].push_back({});
  std::vector<Ranks::Outgoing> outgoing;
  std::vector<Ranks::Incoming> incoming;
  for (std::size_t other = 0; other < size; ++other) {
    const int rank = static_cast<int>(other);
    if (!here[other].empty()) outgoing.push_back({rank, std::as_bytes(std::span(here[other]))});
    if (!there[other].empty())
      incoming.push_back({rank, std::as_writable_bytes(std::span(there[other]))});
  }
  ranks.exchange(outgoing, incoming);
  std::vector<std::size_t> next(size);
  for (const Ranks::Incoming& message : received_) {
    const auto other = static_cast<std::size_t>(message.from);
    const Place& place = there[other][next[other]++];
    MOTE_EXPECT(place.bytes == message.bytes.size());
    copy_bytes_on_device(message.bytes.data(), place.at, place.bytes, exec.stream);
    received_bytes += place.bytes;
  }
  wait(exec);
  ranks.exchange({}, {});  // before any rank overwrites what others copy
  ranks.count(sent_bytes, received_bytes);
}

void DeviceMessages::pass_through_host(const Cuda& exec) {
  std::size_t bytes = 0;
  for (const Ranks::Outgoing& message : sent_) bytes += message.bytes.size();
  for (const Ranks::Incoming& message : received_) bytes += message.bytes.size();
  std::vector<std::byte> host(bytes);
  std::span<std::byte> free = host;
  const auto room = [&](std::size_t size) {
    const std::span<std::byte> taken = free.first(size);
    free = free.subspan(size);
    return taken;
  };
  std::vector<Ranks::Outgoing> outgoing;
  std::vector<Ranks::Incoming> incoming;
  for (const Ranks::Outgoing& message : sent_) {
    const std::span<std::byte> to = room(message.bytes.size());
    copy_bytes_to_host(to.data(), message.bytes.data(), to.size(), exec.stream);
    outgoing.push_back({message.to, to});
  }
  for (const Ranks::Incoming& message : received_)
    incoming.push_back({message.from, room(message.bytes.size())});
  wait(exec);
  exec.ranks->exchange(outgoing, incoming);
  for (std::size_t k = 0; k < received_.size(); ++k)
    copy_bytes_to_device(received_[k].bytes.data(), incoming[k].bytes.data(),
                         incoming[k].bytes.size(), exec.stream);
  wait(exec);
}

}  // namespace mote::engine
