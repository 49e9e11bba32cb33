#include "render/gl/display.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <vector>

#include "engine/check.h"

namespace mote::render {
namespace {

struct Candidate {
  EGLDisplay display;
  std::string name;
};

bool has_extension(const char* list, std::string_view name) {
  std::string_view rest = list ? list : "";
  while (!rest.empty()) {
    const auto end = rest.find(' ');
    if (rest.substr(0, end) == name) return true;
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return false;
}

template <typename Function>
Function function_named(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// CUDA's number of this device, by EGL_NV_device_cuda; or nothing.
std::optional<int> cuda_number(EGLDeviceEXT device, const char* extensions) {
  const auto query = function_named<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
  EGLAttrib number = 0;
  if (!query || !has_extension(extensions, "EGL_NV_device_cuda") ||
      !query(device, EGL_CUDA_DEVICE_NV, &number))
    return {};
  return static_cast<int>(number);
}

/// Appends EGL's devices, split into GPUs and software; the wanted GPU first.
void add_devices(std::optional<int> cuda_device, std::vector<Candidate>& gpus,
                 std::vector<Candidate>& software) {
  const auto query_devices = function_named<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto query_string =
      function_named<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const auto get_display =
      function_named<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (!query_devices || !query_string || !get_display) return;
  std::array<EGLDeviceEXT, 32> devices{};
  EGLint count = 0;
  if (!query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count)) return;
  for (EGLint i = 0; i < count; ++i) {
    const EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
    const char* extensions = query_string(device, EGL_EXTENSIONS);
    const bool is_software = has_extension(extensions, "EGL_MESA_device_software");
    const EGLDisplay display = get_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
    if (display == EGL_NO_DISPLAY) continue;
    const bool wanted = cuda_device && cuda_number(device, extensions) == cuda_device;
    std::vector<Candidate>& list = is_software ? software : gpus;
    list.insert(wanted ? list.begin() : list.end(),
                {display, (is_software ? "software device " : "device ") + std::to_string(i)});
  }
}

std::vector<Candidate> candidates(std::optional<int> cuda_device) {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::vector<Candidate> all, software;
  if (has_extension(extensions, "EGL_EXT_platform_device") ||
      has_extension(extensions, "EGL_EXT_platform_base"))
    add_devices(cuda_device, all, software);
  const auto get_display =
      function_named<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (get_display && has_extension(extensions, "EGL_MESA_platform_surfaceless"))
    all.push_back({get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr),
                   "Mesa surfaceless"});
  all.insert(all.end(), software.begin(), software.end());
  all.push_back({eglGetDisplay(EGL_DEFAULT_DISPLAY), "default display"});
  return all;
}

EGLContext make_context(EGLDisplay display, EGLConfig config) {
  const std::array<EGLint, 11> attributes = {EGL_CONTEXT_MAJOR_VERSION,
                                             4,
                                             EGL_CONTEXT_MINOR_VERSION,
                                             5,
                                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
#ifndef NDEBUG
                                             EGL_CONTEXT_OPENGL_DEBUG,
                                             EGL_TRUE,
#endif
                                             EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

/// Fills `open`, or returns why this display cannot be used.
std::string try_display(const Candidate& candidate, OpenDisplay& open) {
  EGLint major = 0, minor = 0;
  if (candidate.display == EGL_NO_DISPLAY || !eglInitialize(candidate.display, &major, &minor))
    return egl_reason();
  if (major * 100 + minor < 105)
    return "EGL 1.5 is needed, this is " + std::to_string(major) + "." + std::to_string(minor);
  if (!eglBindAPI(EGL_OPENGL_API)) return "it supports only OpenGL ES, not OpenGL";

  constexpr std::array<EGLint, 5> wanted = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                            EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  const bool have_config =
      eglChooseConfig(candidate.display, wanted.data(), &config, 1, &count) && count > 0;
  const char* extensions = eglQueryString(candidate.display, EGL_EXTENSIONS);
  if (!have_config && !has_extension(extensions, "EGL_KHR_no_config_context"))
    return "it has no framebuffer configuration for OpenGL";
  const EGLContext context = make_context(candidate.display, config);
  if (context == EGL_NO_CONTEXT) return "no OpenGL 4.5 core context: " + egl_reason();

  EGLSurface surface = EGL_NO_SURFACE;
  if (!has_extension(extensions, "EGL_KHR_surfaceless_context")) {
    constexpr std::array<EGLint, 5> tiny = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = have_config ? eglCreatePbufferSurface(candidate.display, config, tiny.data())
                          : EGL_NO_SURFACE;
    if (surface == EGL_NO_SURFACE) {
      const std::string reason = "no surface: " + egl_reason();
      eglDestroyContext(candidate.display, context);
      return reason;
    }
  }
  open = {candidate.display, context, surface, candidate.name};
  return "";
}

}  // namespace

std::string egl_reason() {
  switch (const EGLint code = eglGetError()) {
    case EGL_SUCCESS:
      return "EGL gave no reason";
    case EGL_NOT_INITIALIZED:
      return "EGL could not be initialised";
    case EGL_BAD_ACCESS:
      return "EGL was denied access, or the context is current in another thread";
    case EGL_BAD_ALLOC:
      return "EGL is out of memory";
    case EGL_BAD_CONFIG:
      return "EGL refused the configuration";
    case EGL_BAD_MATCH:
      return "EGL refused the version or the surface";
    case EGL_CONTEXT_LOST:
      return "EGL lost the context";
    default: {
      constexpr const char* digits = "0123456789abcdef";
      std::string text = "EGL error 0x";
      for (int shift = 12; shift >= 0; shift -= 4) text += digits[(code >> shift) & 15];
      return text;
    }
  }
}

OpenDisplay open_display(std::optional<int> cuda_device) {
  OpenDisplay open;
  std::string tried;
  for (const Candidate& candidate : candidates(cuda_device)) {
    const std::string reason = try_display(candidate, open);
    if (reason.empty()) return open;
    tried += (tried.empty() ? "" : ", ") + candidate.name + " (" + reason + ")";
  }
  throw engine::SystemError("open OpenGL 4.5 through EGL",
                            tried.empty() ? "EGL offers no display" : "tried " + tried,
                            "install libegl1 and libgl1-mesa-dri (Debian, Ubuntu), or the graphics "
                            "part of the GPU's driver");
}

}  // namespace mote::render
