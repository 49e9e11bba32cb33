#pragma once

#include "api/mote.h"
#include "sim/initial/bodies.h"

namespace mote::api {

/// A copy of bodies given by a program. Throws InputError at this place for columns that do not fit
/// together, and numbers that are not finite.
sim::Bodies checked_bodies(const Bodies& given, const char* place);

}  // namespace mote::api
