#include "render/serve/h264_encoder.h"

#include <dlfcn.h>
#include <wels/codec_api.h>
#include <wels/codec_ver.h>

#include <cstdlib>

#include "engine/check.h"

namespace mote::render::serve {
namespace {

/// With this quantiser a moving picture has the noise of a JPEG of quality 80. It is constant,
/// since the pictures come at no constant rate, and pages that are slow get fewer of them.
constexpr int quantiser = 26;

/// The functions of OpenH264 used here, as declared in wels/codec_api.h.
struct Library {
  void* handle = nullptr;
  decltype(&WelsCreateSVCEncoder) create = nullptr;
  decltype(&WelsDestroySVCEncoder) destroy = nullptr;
  decltype(&WelsGetCodecVersionEx) get_version = nullptr;
  OpenH264 found;

  Library() {
    const char* const named = std::getenv("MOTE_OPENH264");
    const std::string file = named && *named ? named : MOTE_OPENH264_LIBRARY;
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      found.problem = std::string(dlerror()) + "; install OpenH264 (Debian: libopenh264-7)";
      return;
    }
    if (!find(create, "WelsCreateSVCEncoder") || !find(destroy, "WelsDestroySVCEncoder") ||
        !find(get_version, "WelsGetCodecVersionEx")) {
      found.problem = file + " is not OpenH264";
      return;
    }
    OpenH264Version version{};
    get_version(&version);
    const std::string minor = std::to_string(version.uMajor) + "." + std::to_string(version.uMinor);
    // Structures of other versions may have other members.
    if (version.uMajor != OPENH264_MAJOR || version.uMinor != OPENH264_MINOR)
      found.problem = "OpenH264 " + minor + " is not the version " +
                      std::to_string(OPENH264_MAJOR) + "." + std::to_string(OPENH264_MINOR) +
                      " with which mote was built; build mote again";
    else
      found.version = minor + "." + std::to_string(version.uRevision);
  }

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

const Library& library() {
  static const Library only;
  return only;
}

void check(int error, const char* call) {
  if (error != 0)
    throw engine::SystemError(std::string("H.264: ") + call,
                              "OpenH264 returned " + std::to_string(error), "JPEG is sent instead");
}

/// The stream says in which range and matrix its colours are, since decoders assume others.
void describe_colours(SSpatialLayerConfig& layer) {
  layer.bVideoSignalTypePresent = true;
  layer.uiVideoFormat = VF_UNDEF;
  layer.bFullRange = true;
  layer.bColorDescriptionPresent = true;
  layer.uiColorPrimaries = CP_BT709;
  layer.uiTransferCharacteristics = TRC_IEC61966_2_1;  // sRGB
  layer.uiColorMatrix = CM_SMPTE170M;                  // BT.601
}

void configure(SEncParamExt& parameters, int width, int height) {
  parameters.iUsageType = CAMERA_VIDEO_REAL_TIME;  // for screens it takes twice the time
  parameters.iPicWidth = width;
  parameters.iPicHeight = height;
  parameters.fMaxFrameRate = 60;
  parameters.iRCMode = RC_OFF_MODE;
  parameters.iTargetBitrate = 20'000'000;  // without effect, but 0 is refused
  parameters.uiIntraPeriod = 0;            // key frames are requested
  parameters.iNumRefFrame = 1;
  parameters.iMultipleThreadIdc = 1;  // the others are the simulation's
  parameters.iEntropyCodingModeFlag = 0;
  parameters.iComplexityMode = LOW_COMPLEXITY;
  parameters.bEnableFrameSkip = false;
  parameters.bEnableDenoise = false;
  parameters.bEnableBackgroundDetection = false;
  parameters.bEnableAdaptiveQuant = false;
  parameters.bEnableSceneChangeDetect = false;
  SSpatialLayerConfig& layer = parameters.sSpatialLayers[0];
  layer.iVideoWidth = width;
  layer.iVideoHeight = height;
  layer.fFrameRate = parameters.fMaxFrameRate;
  layer.iSpatialBitrate = parameters.iTargetBitrate;
  layer.iDLayerQp = quantiser;
  layer.uiProfileIdc = PRO_BASELINE;  // no picture waits for a later one
  layer.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
  describe_colours(layer);
}

}  // namespace

const OpenH264& openh264() {
  return library().found;
}

struct H264Encoder::Parts {
  Parts() {
    if (!openh264().problem.empty())
      throw engine::SystemError("start the H.264 encoder", openh264().problem, "see `mote doctor`");
    check(library().create(&encoder), "create an encoder");
  }
  ~Parts() {
    end_stream();
    library().destroy(encoder);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void begin_stream(int new_width, int new_height) {
    end_stream();
    int level = WELS_LOG_QUIET;
    encoder->SetOption(ENCODER_OPTION_TRACE_LEVEL, &level);
    SEncParamExt parameters;
    check(encoder->GetDefaultParams(&parameters), "get its parameters");
    configure(parameters, new_width, new_height);
    check(encoder->InitializeExt(&parameters), "begin a stream");
    width = new_width;
    height = new_height;
  }
  void end_stream() {
    if (width > 0) encoder->Uninitialize();
    width = height = 0;
  }

  ISVCEncoder* encoder = nullptr;
  int width = 0, height = 0;  // of the stream; 0: there is none
};

H264Encoder::H264Encoder() : parts_(std::make_unique<Parts>()) {}

H264Encoder::~H264Encoder() = default;

H264Encoder::Picture H264Encoder::encode(const Planes& planes, bool key) {
  Parts& p = *parts_;
  if (planes.width != p.width || planes.height != p.height)
    p.begin_stream(planes.width, planes.height);
  else if (key)
    check(p.encoder->ForceIntraFrame(true), "request a key frame");
  SSourcePicture source{};
  source.iColorFormat = videoFormatI420;
  source.iPicWidth = planes.width;
  source.iPicHeight = planes.height;
  for (std::size_t i = 0; i < planes.samples.size(); ++i) {
    source.pData[i] = const_cast<unsigned char*>(planes.samples[i].data());  // it only reads them
    source.iStride[i] = i == 0 ? planes.width : planes.width / 2;
  }
  SFrameBSInfo coded{};
  check(p.encoder->EncodeFrame(&source, &coded), "encode a picture");
  Picture picture;
  picture.key = coded.eFrameType == videoFrameTypeIDR;
  for (int i = 0; i < coded.iLayerNum; ++i) {
    const SLayerBSInfo& layer = coded.sLayerInfo[i];
    std::size_t size = 0;
    for (int k = 0; k < layer.iNalCount; ++k)
      size += static_cast<std::size_t>(layer.pNalLengthInByte[k]);
    picture.bytes.append(reinterpret_cast<const char*>(layer.pBsBuf), size);
  }
  return picture;
}

}  // namespace mote::render::serve
