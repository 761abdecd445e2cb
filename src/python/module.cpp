// The compiled half of the Python module `attest`; what people call is in attest/__init__.py.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "check/check_file.hpp"
#include "problem/digest.hpp"
#include "python/child.hpp"
#include "readers/array_files.hpp"
#include "search/arithmetic/binomial.hpp"
#include "search/arithmetic/sampled_ranks.hpp"
#include "words/explain.hpp"

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

/// [{"name", "says", "weights", "arguments": [{"name", "says", "group", "file", "flag", "several"}]}]
std::string questions() {
  Json out = Json::array();
  for (const QuestionKind& kind : question_kinds()) {
    Json arguments = Json::array();
    for (const Argument* argument : arguments_of(kind.name))
      if (!of_command_line_alone(*argument))
        arguments.push_back(
            {{"name", argument->name},
             {"says", help_text(*argument)},
             {"group", argument->group},
             {"file", argument->kind == Argument::Kind::array || argument->kind == Argument::Kind::model},
             {"flag", argument->kind == Argument::Kind::flag},
             {"several", argument->kind == Argument::Kind::files}});
    out.push_back(
        {{"name", kind.name}, {"says", kind.says}, {"weights", kind.weights}, {"arguments", arguments}});
  }
  return json_text(out);
}

/// {"claims", "words", "notes", "case", "certificate"}
std::string answer(const std::string& name, const std::map<std::string, Question::Given>& given,
                   const Arrays& arrays, const py::object& progress) {
  return json_text(in_child(held(arrays), progress, [&]() -> Json {
    Question question(name);
    for (const auto& [argument, value] : given) question.set(argument, value);
    Answer found = ask(question);
    if (!found.trouble.empty()) found.notes.push_back(found.trouble);
    return {{"claims", found.claims},
            {"words", found.words},
            {"notes", found.notes},
            {"case", found.case_file},
            {"certificate", found.certificate}};
  }));
}

/// {"status", "says"} of the checker.
std::string check(const std::vector<std::string>& certificates, bool ignore_expectations) {
  return json_text(in_child({}, py::none(), [&]() -> Json {
    kernel::ReportOptions options;
    options.ignore_expectations = ignore_expectations;
    use_threads(all_cores());
    std::ostringstream out;
    const int status = kernel::run_check({certificates.begin(), certificates.end()}, options, out, out);
    return {{"status", status}, {"says", out.str()}};
  }));
}

std::string explained(const std::string& certificate) {
  return in_child({}, py::none(),
                  [&]() -> Json {
                    std::ostringstream out;
                    explain(certificate, {}, out);
                    return out.str();
                  })
      .get<std::string>();
}

std::string digest(const std::string& case_file) {
  return in_child({}, py::none(), [&]() -> Json { return problem_digest(read_case(case_file)); })
      .get<std::string>();
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
  static auto* const input = new py::exception<InputError>(m, "InputError", PyExc_ValueError);
  static auto* const limit = new py::exception<LimitError>(m, "LimitError", PyExc_RuntimeError);
  static auto* const rejected = new py::exception<Rejected>(m, "CertificateError", PyExc_ValueError);
  input->doc() =
      "Something is wrong with the arrays or the arguments. `wrong` says what, `right` what would be right, "
      "`argument` and `file` what it is about, `place` where in it.";
  limit->doc() = "A limit on time, memory or work was hit: the question is legal, the answer too costly.";
  rejected->doc() = "The checker does not accept a certificate; the text is what it says.";
  for (const char* const field : {"file", "place", "wrong", "right", "argument"}) input->attr(field) = "";
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const InputError& e) {
      py::object error = static_cast<const py::object&>(*input)(e.what());
      error.attr("file") = e.file();
      error.attr("place") = e.place();
      error.attr("wrong") = e.wrong();
      error.attr("right") = e.right();
      error.attr("argument") = e.argument();
      PyErr_SetObject(input->ptr(), error.ptr());
    } catch (const LimitError& e) {
      PyErr_SetString(limit->ptr(), e.what());
    } catch (const Rejected& e) {
      PyErr_SetString(rejected->ptr(), e.what());
    }
  });
  m.attr("__version__") = ATTEST_VERSION;
  m.def("questions", questions);
  m.def("ask", answer);
  m.def("check", check);
  m.def("explain", explained);
  m.def("digest", digest);
  m.def("write", write_files);
  m.def("sampled_ranks", ranks);
}
