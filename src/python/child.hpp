// Work of the Python module in a child process. The library keeps its meter, limits and settings per process
// and may end it; the interpreter's process must know nothing of that. A fork gives the child the arrays as
// they are at the call, without copying them, and a child can be ended at any time.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest::python {

/// An array of the caller's that goes by a name of array_files.hpp in the child.
struct HeldArray {
  std::string file, name;  ///< FILE.npy and "", or FILE.safetensors and a name
  std::string header;      ///< as of MemoryArray
  pybind11::buffer_info buffer;
};

/// Runs `work` in a child that finds the arrays in memory, and returns its answer. Meanwhile the GIL is
/// released; signals are handled, and `progress` (None: nothing) is called ten times a second with what the
/// child does, how much of it is done, and how much there is (None: nobody knows). What it raises, as a
/// KeyboardInterrupt, ends the child.
/// Throws what the child throws, InputError (also for arrays that cannot be used), LimitError and Rejected,
/// and std::runtime_error when it gives no answer.
Json in_child(const std::vector<HeldArray>& arrays, const pybind11::object& progress,
              const std::function<Json()>& work);

}  // namespace attest::python
