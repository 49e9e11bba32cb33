#include "engine/memory/device_messages.h"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/check.h"
#include "engine/exec/cuda_check.h"
#include "engine/exec/stream.h"
#include "engine/memory/copy_segments.h"
#include "engine/memory/device_memory.h"

namespace mote::engine {
namespace {

constexpr std::size_t most_devices = 64;
/// links[a][b] is true if device a can read the memory of device b.
std::array<std::array<std::atomic<bool>, most_devices>, most_devices> links;

bool reads(int device, int other) {
  const auto from = static_cast<std::size_t>(other), to = static_cast<std::size_t>(device);
  return from == to || (from < most_devices && to < most_devices && links[to][from]);
}

}  // namespace

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
    const auto from = static_cast<std::size_t>(other), to = static_cast<std::size_t>(exec.device);
    if (from < most_devices && to < most_devices) links[to][from] = true;
  }
}

bool can_run_together(const Cuda& exec) {
#if defined(MOTE_CUDA_EMULATED)
  bool can = false;
#else
  bool can = exec.ranks->share_memory();
#endif
  for (const int other : gather_one(exec.ranks, exec.device))
    can = can && reads(exec.device, other);
  return !any_of(exec.ranks, !can);
}

void DeviceMessages::send(int to, std::span<const std::byte> bytes) {
  sent_.push_back({to, bytes});
}

void DeviceMessages::receive(int from, std::span<std::byte> bytes) {
  received_.push_back({from, bytes});
}

void DeviceMessages::run(const Cuda& exec) {
  MOTE_EXPECT(exec.ranks);
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
  struct Sender {
    const std::shared_ptr<ExchangeEvents>* events;
    int device;
  };
  Ranks& ranks = *exec.ranks;
  const auto size = static_cast<std::size_t>(ranks.size()),
             own = static_cast<std::size_t>(ranks.rank());
  std::vector<std::vector<Place>> here(size), there(size);
  std::uint64_t sent_bytes = 0, received_bytes = 0;
  for (const Ranks::Outgoing& message : sent_) {
    here[static_cast<std::size_t>(message.to)].push_back(
        {message.bytes.data(), message.bytes.size()});
    sent_bytes += message.bytes.size();
  }
  for (const Ranks::Incoming& message : received_)
    there[static_cast<std::size_t>(message.from)].push_back({});

  const std::shared_ptr<ExchangeEvents>& events = exchange_events(exec);
  record(exec, events->written.handle());
  const Sender sender{&events, exec.device};
  std::vector<Sender> senders(size);
  std::vector<Ranks::Outgoing> outgoing;
  std::vector<Ranks::Incoming> incoming;
  for (std::size_t other = 0; other < size; ++other) {
    if (other == own) continue;
    const int rank = static_cast<int>(other);
    outgoing.push_back({rank, std::as_bytes(std::span(&sender, 1))});
    incoming.push_back({rank, std::as_writable_bytes(std::span(&senders[other], 1))});
    outgoing.push_back({rank, std::as_bytes(std::span(here[other]))});
    incoming.push_back({rank, std::as_writable_bytes(std::span(there[other]))});
  }
  ranks.exchange(outgoing, incoming);
  std::vector<std::shared_ptr<ExchangeEvents>> others(size);  // live until all waits are enqueued
  for (std::size_t other = 0; other < size; ++other)
    if (other != own) others[other] = *senders[other].events;

  for (std::size_t other = 0; other < size; ++other)
    if (!there[other].empty()) wait_for(exec, others[other]->written.handle());
  std::vector<Segment> segments;
  std::vector<std::size_t> next(size);
  for (const Ranks::Incoming& message : received_) {
    const auto other = static_cast<std::size_t>(message.from);
    const Place& place = there[other][next[other]++];
    MOTE_EXPECT(place.bytes == message.bytes.size());
    received_bytes += place.bytes;
    if (reads(exec.device, senders[other].device) && place.bytes % 4 == 0)
      segments.push_back({message.bytes.data(), place.at, place.bytes});
    else
      copy_bytes_on_device(message.bytes.data(), place.at, place.bytes, exec.stream);
  }
  copy_segments(exec, segments);
  record(exec, events->read.handle());
  ranks.exchange({}, {});  // all have recorded
  for (std::size_t other = 0; other < size; ++other)
    if (!here[other].empty()) wait_for(exec, others[other]->read.handle());
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
