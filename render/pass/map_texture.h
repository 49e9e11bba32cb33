#pragma once

#include "render/color_map.h"
#include "render/gl/handle.h"

namespace mote::render {

/// A colour map as a texture of 256 texels in linear light, for sampler1D.
TextureHandle texture_of(const ColorMap& map);

}  // namespace mote::render
