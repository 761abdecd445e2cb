// A question about one's own arrays: which there are, which arguments they have, and one that is asked. The
// command line and the Python module have the same ones, --head-dim and head_dim=.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

struct QuestionKind {
  std::string name;
  const char* says;   ///< in the list of commands
  const char* title;  ///< of its case
  bool weights;       ///< about given weights
  bool layer = true;  ///< about a layer
};
const std::vector<QuestionKind>& question_kinds();

struct Argument {
  enum class Kind {
    array,       ///< FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME
    model,       ///< a file with several arrays
    text,        ///< what the reader of cases reads, such as an exact number
    word,        ///< one of `words`
    count,       ///< from `least` to `most`
    range,       ///< one of these, or A:B, from the least to the largest of several
    flag,        ///< there or not
    file,        ///< a file or folder that is written
    seconds,     ///< a positive number
    bytes,       ///< like 8G, of powers of 1024
    operations,  ///< like 100G, of powers of 1000
  };
  const char* name;
  Kind kind;
  const char* of;  ///< names of questions; "weights": all about given weights; "layer": all about a layer;
                   ///< empty: all
  const char* group;
  const char* says;
  const char* needs = "";     ///< names of arguments that must be there too
  const char* excludes = "";  ///< and that must not; holds in both directions
  const char* initial = "";
  const char* words = "";  ///< of a text: for completion
  std::uint64_t least = 1, most = std::uint64_t{1} << 40;
};
/// Whether it is what the question is about, as the array of one about no layer: its name may be left out.
bool is_subject(const QuestionKind& question, const Argument& argument);
/// "array", "model", ...
const char* kind_name(Argument::Kind kind);
/// Those of a question, by groups.
std::vector<const Argument*> arguments_of(const std::string& question);
/// Whether it says how the command line prints, or leaves a file in place of an answer.
bool of_command_line_alone(const Argument& argument);
/// What it is, needs and excludes: the help of both.
std::string help_text(const Argument& argument);

class Question {
public:
  /// Precondition: there is a question of that name.
  explicit Question(const std::string& name);

  /// What is given for an argument: whether a flag is there, or numerals and names.
  using Given = std::variant<bool, std::string>;
  /// Throws InputError when that does not suit. Precondition: the question has the argument.
  void set(const std::string& argument, const Given& given);
  /// Throws InputError when arguments are missing or exclude each other.
  void require_consistent() const;

  const QuestionKind& kind() const { return kind_; }
  const std::string& name() const { return kind_.name; }
  bool has(const std::string& argument) const { return values_.contains(argument); }
  // Of an argument that is not given its initial value, or an empty one.
  bool flag(const std::string& argument) const { return has(argument); }
  std::string text(const std::string& argument) const;
  std::uint64_t count(const std::string& argument) const;  ///< of a range its end
  /// Where a range begins that has a beginning.
  std::optional<std::uint64_t> first(const std::string& argument) const;
  /// Whether the logits come from projected queries and keys, or are given.
  bool projected() const { return has("projected-queries") || has("logits"); }
  CaseOptions limits() const;

  /// Throws an InputError about the question, or about one of its arguments, which `wrong` goes on about.
  [[noreturn]] void refuse(const std::string& wrong, const std::string& right) const;
  [[noreturn]] void refuse(const std::string& argument, const std::string& wrong,
                           const std::string& right) const;

private:
  using Value = std::variant<bool, std::uint64_t, double, std::string>;
  const QuestionKind& kind_;
  std::map<std::string, Value> values_;
  std::map<std::string, std::uint64_t> firsts_;
};

}  // namespace attest
