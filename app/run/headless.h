#pragma once

#include "app/run/run_request.h"

namespace mote::app {

/// Runs a scene without a window and writes its output; a checkpoint in place of a scene is
/// continued. Throws InputError before anything is written, and RunFailed when the run fails but
/// can be resumed.
Outcome run_headless(HeadlessRequest request);

/// Continues the checkpoint `request.scene`, of a window, a program or a run, in a new run folder,
/// bit for bit (on the same machine and backend). `request.settings` are live parameters to change.
Outcome continue_headless(HeadlessRequest request);

/// Resumes a run from a checkpoint, bit for bit as if it had not stopped (on the same machine and
/// backend), and appends to its files; or continues a checkpoint in a new folder. Throws before
/// anything is changed if it cannot.
Outcome resume_headless(const ResumeRequest& request);

}  // namespace mote::app
