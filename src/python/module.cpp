// The compiled half of the Python module `attest`; what people call is in attest/__init__.py.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/output.hpp"
#include "cli/program.hpp"
#include "exact/binomial.hpp"
#include "exact/sampled_ranks.hpp"
#include "input/array_files.hpp"
#include "python/child.hpp"

namespace {

namespace py = pybind11;
using namespace attest;
using namespace attest::python;

/// (file, name, header, buffer) of each array.
using Arrays = std::vector<std::tuple<std::string, std::string, std::string, py::buffer>>;

std::vector<HeldArray> held(const Arrays& arrays) {
  std::vector<HeldArray> out;
  for (const auto& [file, name, header, buffer] : arrays)
    out.push_back({file, name, header, buffer.request()});
  return out;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs a command line of the program: {"status", "out", "err"}, and of a question also {"case",
/// "certificate"}, the contents of these files.
std::string run(std::vector<std::string> arguments, const Arrays& arrays, const std::string& temporary,
                const py::object& progress) {
  const Json answer = in_child(held(arrays), progress, [&] {
    ::setenv("TMPDIR", temporary.c_str(), 1);
    std::ostringstream out, err;
    std::cout.rdbuf(out.rdbuf());
    std::cerr.rdbuf(err.rdbuf());
    Json result;
    on_answer([&](const std::filesystem::path& case_file, const std::filesystem::path& certificate) {
      result["case"] = content(case_file);
      result["certificate"] = content(certificate);
    });
    arguments.insert(arguments.begin(), "attest");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    result["status"] = run_program(static_cast<int>(arguments.size()), pointers.data());
    result["out"] = out.str();
    result["err"] = err.str();
    return result;
  });
  return json_text(answer);
}

/// Writes arrays, under the names that they go by, and texts into a folder.
void write_files(const std::string& folder, const Arrays& arrays,
                 const std::map<std::string, std::string>& texts) {
  std::vector<std::string> files;
  for (const auto& array : arrays) files.push_back(std::get<0>(array));
  in_child(held(arrays), py::none(), [&]() -> Json {
    for (const std::string& file : files)
      write_output(std::filesystem::path(folder) / file, memory_file_content(file));
    for (const auto& [name, text] : texts) write_output(std::filesystem::path(folder) / name, text);
    return nullptr;
  });
}

/// Ranks of `count` row subsets (exact/sampled_ranks.hpp): {"independent", "dependent", "open",
/// "dependent_share": [lower, upper], "witness": {"rows": [int], "relation": [text]} or null}.
std::string ranks(const Arrays& vectors, std::size_t count, std::size_t size, std::uint64_t seed,
                  double effort, const py::object& progress) {
  const std::string file = std::get<0>(vectors.at(0));
  return json_text(in_child(held(vectors), progress, [&] {
    const SampledRanks found =
        sampled_ranks(memory_array(file, "", file, [](std::uint64_t) {}), count, size, seed, effort);
    const Share share =
        count == 0 ? Share{0, 1} : clopper_pearson(found.dependent, found.dependent + found.open, count);
    Json witness;
    if (found.witness) {
      Json coefficients = Json::array();
      for (const mpz_class& c : found.witness->relation) coefficients.push_back(c.get_str());
      witness = {{"rows", found.witness->rows}, {"relation", coefficients}};
    }
    return Json{{"independent", found.independent},
                {"dependent", found.dependent},
                {"open", found.open},
                {"dependent_share", {share.lower.get_d(), share.upper.get_d()}},
                {"witness", witness}};
  }));
}

}  // namespace

PYBIND11_MODULE(_attest, m) {
  // Never destroyed: modules are not unloaded.
  static auto* const input = new py::exception<ChildError>(m, "InputError", PyExc_ValueError);
  static auto* const limit = new py::exception<ChildError>(m, "LimitError", PyExc_RuntimeError);
  input->doc() = "Something is wrong with the arrays or the options; the text is that of the program attest.";
  limit->doc() = "A limit on time, memory or work was hit: the question is legal, the answer too costly.";
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const ChildError& e) {
      const bool of_input = e.kind() == ChildError::Kind::input,
                 of_limit = e.kind() == ChildError::Kind::limit;
      PyErr_SetString(of_input ? input->ptr() : of_limit ? limit->ptr() : PyExc_RuntimeError, e.what());
    }
  });
  m.attr("__version__") = ATTEST_VERSION;
  m.def("questions", [] { return json_text(questions()); });
  m.def("run", run);
  m.def("write", write_files);
  m.def("sampled_ranks", ranks);
}
