#include "engine/exec/nvrtc.h"

#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/check.h"

namespace mote::engine {
namespace {

/// The NVRTC functions used here, as declared in nvrtc.h of the CUDA Toolkit.
struct Library {
  using Program = struct NvrtcProgram*;
  void* handle = nullptr;  // never closed: code that it has compiled may still run
  int (*version)(int*, int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*architecture_count)(int*) = nullptr;
  int (*architectures)(int*) = nullptr;

  Library() {
    for (const char* name :
         {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"})
      if ((handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) != nullptr) break;
    if (!handle) return;
    const bool complete =
        find(version, "nvrtcVersion") && find(error_text, "nvrtcGetErrorString") &&
        find(create, "nvrtcCreateProgram") && find(destroy, "nvrtcDestroyProgram") &&
        find(compile, "nvrtcCompileProgram") && find(log_size, "nvrtcGetProgramLogSize") &&
        find(log, "nvrtcGetProgramLog") && find(code_size, "nvrtcGetCUBINSize") &&
        find(code, "nvrtcGetCUBIN") && find(architecture_count, "nvrtcGetNumSupportedArchs") &&
        find(architectures, "nvrtcGetSupportedArchs");
    if (!complete) handle = nullptr;
  }

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }

  void check(int error, const char* call) const {
    if (error != 0)
      throw SystemError(std::string("NVRTC: ") + call, error_text(error), "see `mote doctor`");
  }
};

const Library& library() {
  static const Library only;
  return only;
}

std::vector<char> compile(const std::string& source, const std::string& architecture) {
  const Library& nvrtc = library();
  Library::Program raw = nullptr;
  nvrtc.check(nvrtc.create(&raw, source.c_str(), "fields.cu", 0, nullptr, nullptr),
              "create a program");
  const auto destroy = [&](Library::Program program) { nvrtc.destroy(&program); };
  const std::unique_ptr<NvrtcProgram, decltype(destroy)> program(raw, destroy);
  const std::string target = "--gpu-architecture=" + architecture;
  const char* const options[] = {target.c_str(),    "--std=c++17",      "--fmad=false",
                                 "--prec-div=true", "--prec-sqrt=true", "--ftz=false"};
  if (const int error = nvrtc.compile(raw, static_cast<int>(std::size(options)), options);
      error != 0) {
    std::size_t size = 0;
    std::string messages;
    if (nvrtc.log_size(raw, &size) == 0 && size > 1) {
      messages.resize(size);
      nvrtc.log(raw, messages.data());
      messages.resize(size - 1);
    }
    throw SystemError("NVRTC: compile for " + architecture,
                      std::string(nvrtc.error_text(error)) + "\n" + messages,
                      "run with --backend cpu, and report it with this source:\n" + source);
  }
  std::size_t size = 0;
  nvrtc.check(nvrtc.code_size(raw, &size), "get the size of the code");
  std::vector<char> code(size);
  nvrtc.check(nvrtc.code(raw, code.data()), "get the code");
  return code;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc found = [] {
    if (!library().handle)
      return Nvrtc{"", "the library NVRTC (libnvrtc.so) was not found",
                   "install it with the CUDA Toolkit, or use --backend cpu"};
    int major = 0, minor = 0;
    library().version(&major, &minor);
    return Nvrtc{std::to_string(major) + "." + std::to_string(minor), "", ""};
  }();
  return found;
}

Nvrtc nvrtc_for(const std::string& compute_capability) {
  Nvrtc found = nvrtc();
  if (!found.problem.empty()) return found;
  int count = 0;
  library().check(library().architecture_count(&count), "count architectures");
  std::vector<int> known(static_cast<std::size_t>(count));
  library().check(library().architectures(known.data()), "list architectures");
  std::string digits = compute_capability;  // "9.0" is 90 there
  std::erase(digits, '.');
  for (const int architecture : known)
    if (std::to_string(architecture) == digits) return found;
  found.problem = "NVRTC " + found.version + " cannot compile for a GPU of compute capability " +
                  compute_capability;
  found.remedy = "install the NVRTC of a newer CUDA Toolkit, or use --backend cpu";
  return found;
}

std::vector<char> compile_cuda(const std::string& source, const std::string& architecture) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::vector<char>> compiled;
  const std::lock_guard lock(mutex);
  if (!nvrtc().problem.empty()) throw SystemError("NVRTC: load", nvrtc().problem, nvrtc().remedy);
  const auto key = std::pair(source, architecture);
  const auto at = compiled.find(key);
  if (at != compiled.end()) return at->second;
  return compiled.emplace(key, compile(source, architecture)).first->second;
}

}  // namespace mote::engine
