#include "python/child.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <deque>
#include <fstream>
#include <map>
#include <memory>

#include "answer/results.hpp"
#include "base/isolated.hpp"
#include "base/meter.hpp"
#include "base/progress.hpp"
#include "readers/array_files.hpp"
#include "search/arithmetic/meter_flint.hpp"

namespace attest::python {
namespace {

namespace py = pybind11;

/// Address ranges that somebody else can change: shared memory and mapped files. All else is the child's own
/// since the fork.
std::map<std::uintptr_t, std::uintptr_t> foreign_memory() {
  std::map<std::uintptr_t, std::uintptr_t> ranges;
  std::ifstream maps("/proc/self/maps");
  std::string range, permissions, offset, device, inode;
  while (maps >> range >> permissions >> offset >> device >> inode) {
    maps.ignore(1 << 16, '\n');
    if (inode == "0" && permissions.back() != 's') continue;
    const std::size_t dash = range.find('-');
    ranges[std::stoull(range.substr(0, dash), nullptr, 16)] =
        std::stoull(range.substr(dash + 1), nullptr, 16);
  }
  return ranges;
}

void hold(const std::vector<HeldArray>& arrays) {
  const auto foreign = foreign_memory();
  static std::deque<std::unique_ptr<std::uint64_t[]>> copies;
  std::map<std::string, std::map<std::string, MemoryArray>> files;
  for (const HeldArray& array : arrays) {
    const auto bytes = static_cast<std::size_t>(array.buffer.size * array.buffer.itemsize);
    const auto begin = reinterpret_cast<std::uintptr_t>(array.buffer.ptr);
    const auto next = foreign.lower_bound(begin + bytes);
    const char* entries = static_cast<const char*>(array.buffer.ptr);
    if (next != foreign.begin() && std::prev(next)->second > begin) {
      copies.push_back(std::make_unique_for_overwrite<std::uint64_t[]>((bytes + 7) / 8));
      std::copy_n(entries, bytes, reinterpret_cast<char*>(copies.back().get()));
      entries = reinterpret_cast<const char*>(copies.back().get());
    }
    files[array.file][array.name] = {array.header, {entries, bytes}};
  }
  for (auto& [file, held] : files) hold_in_memory(file, std::move(held));
}

void require_contiguous(const HeldArray& array) {
  py::ssize_t step = array.buffer.itemsize;
  for (std::size_t k = array.buffer.shape.size(); k-- > 0; step *= array.buffer.shape[k]) {
    if (array.buffer.strides[k] != step && array.buffer.shape[k] > 1)
      throw InputError(array.file, "", "is not contiguous in memory", "give numpy.ascontiguousarray of it");
  }
}

}  // namespace

Json in_child(const std::vector<HeldArray>& arrays, const py::object& progress,
              const std::function<Json()>& work) {
  for (const HeldArray& array : arrays) require_contiguous(array);
  SharedProgress shared;
  const bool observed = !progress.is_none();
  const auto child = [&]() -> std::string {
    try {
      meter_gmp();
      meter_flint();
      if (observed) shared.listen();
      hold(arrays);
      return json_text({{"answer", work()}});
    } catch (const InputError& e) {
      return json_text({{"input", {e.file(), e.place(), e.wrong(), e.right(), e.argument()}}});
    } catch (const LimitError& e) {
      return json_text({{"limit", e.what()}});
    } catch (const Rejected& e) {
      return json_text({{"rejected", e.what()}});
    }
  };
  // The GIL is held for the fork: no other thread of Python's is in the middle of loading a library then.
  IsolatedTask task(child, IsolatedTask::Parent::host);
  const auto ended = [&] {
    const py::gil_scoped_release others_run;
    return task.ended_within(0.1);
  };
  while (!ended()) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!observed) continue;
    const Progress now = shared.read();
    progress(now.phase, now.done, now.total == 0 ? py::object(py::none()) : py::int_(now.total));
  }
  using End = IsolatedTask::End;
  if (task.end() == End::out_of_memory) throw LimitError(task.result());
  if (task.end() == End::threw) throw std::runtime_error("internal error: " + task.result());
  // When a host that ignores SIGCHLD has lost how the child ended, its answer is complete or no JSON.
  const Json result = Json::parse(task.output(), nullptr, false);
  if (result.is_discarded()) throw std::runtime_error("its process was ended by " + task.ending());
  const auto text = [&](const char* key) { return result[key].get<std::string>(); };
  if (result.contains("input")) {
    const auto fields = result["input"].get<std::array<std::string, 5>>();
    throw InputError(fields[0], fields[1], fields[2], fields[3], fields[4]);
  }
  if (result.contains("limit")) throw LimitError(text("limit"));
  if (result.contains("rejected")) throw Rejected(text("rejected"));
  return result["answer"];
}

}  // namespace attest::python
