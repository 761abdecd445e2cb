#include "answer/questions.hpp"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>
#include <sstream>

#include "answer/question_extras.hpp"
#include "answer/results.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "base/wrapped.hpp"
#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "proofs/rank.hpp"
#include "search/binary64.hpp"
#include "theory/statements.hpp"
#include "words/claim_result.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

std::string dimensions_text(const Json& number) {
  const std::string lower = number["lower"].dump(), upper = number["upper"].dump();
  return lower == upper ? lower : lower + " to " + upper;
}

// "no, 16 of 24 dimensions": whether any labels are fitted, as this is the rank that takes T.
std::string any_labels_text(const Json& rank, std::size_t examples, const std::string& with_bias = "") {
  if (rank["lower"] == examples) return "yes";
  return (rank["upper"] < examples ? "no, " : "undecided, ") + dimensions_text(rank) + " of " +
         std::to_string(examples) + " dimensions" + with_bias;
}

// "memorizes: yes, with values and read-out trained anew; with the values as they are: no, 16 of 32
// dimensions", from the claims about rank(Z) and rank [Z 1], or the latter alone, and the rank of the
// outputs.
std::string memorizes_text(const Json& claims, std::size_t index, std::size_t examples) {
  const bool last = index + 1 == claims.size() || claims[index + 1]["statement"] != "rank";
  const Json &rank = claims[index]["rank"], &with_bias = claims[last ? index : index + 1]["rank"];
  std::string text =
      (last ? "memorizes with a bias: " : "memorizes: ") +
      any_labels_text(rank, examples,
                      rank == with_bias ? "" : " (" + dimensions_text(with_bias) + " with a bias)") +
      (rank["upper"] < examples ? ", even" : ",") + " with values and read-out trained anew";
  for (const Json& claim : claims)
    if (claim["statement"] == "output-rank" && index == 0)
      text += std::string("; with the values as they are") + (last ? " and no bias" : "") + ": " +
              any_labels_text(claim["output_rank"], examples);
  return text + "; ";
}

// What each number of --trainable is about.
std::string trainable_text(const Json& claim) {
  if (claim["statement"] == "capacity")
    return "\n  keys and queries without biases chosen before the labels, as well as possible, and the "
           "read-out after them: any labels are fitted when it is T, these too";
  if (claim["statement"] == "functional-dimension")
    return "\n  keys, queries and read-out without biases trained together, after the labels: it decides "
           "nothing about these labels";
  return "\n  keys and queries as given, and the read-out chosen after the labels";
}

}  // namespace

std::string answer_text(const Question& q, const Case& c, std::size_t index, const Json& claims) {
  Json claim = claims[index];
  const std::string statement = claim["statement"].get<std::string>();
  if (q.name() == "saturation" && index > 0) claim["findings"] = Json::array();  // the first one says them
  const std::string arguments = claim["arguments"].get<std::string>(),
                    found = describe(claim, q.flag("verbose"), false);
  std::string text;
  if (q.name() == "memorizes" && statement == "rank") {
    text = memorizes_text(claims, index, c.layer->examples) + found;
  } else if (claim.contains("values_as_given")) {
    const std::string given = claim["values_as_given"].get<std::string>(), verdict = claim["verdict"];
    text = statement + (arguments.empty() ? "" : " (" + arguments + ")") + ": " + verdict + "; " + found +
           "; with the values as they are: " + given;
  } else {
    const bool open = claimed_text(c.claims[index]).ends_with("= ?") && claim["verdict"] == "verified";
    text = statement + (arguments.empty() ? "" : " (" + arguments + ")") + ": " +
           (open ? "proved" : claim["verdict"].get<std::string>()) + (found.empty() ? "" : "; ") + found;
  }
  if (claim.contains("checked")) text += "; checked";
  if (q.flag("trainable") && q.name() == "memorizes") text += trainable_text(claim);
  for (const std::string& line : extras_text(claim)) text += "\n" + line;
  for (const Json& value : claim.value("singular_values", Json::array()))
    text += "\n  singular value " + value["index"].dump() + " (from 0) lies in [" + value["lower"].dump() +
            ", " + value["upper"].dump() + "]";
  if (const auto sampled = claim.find("sampled"); sampled != claim.end()) {
    const Json& share = (*sampled)["dependent_share"];
    text += "\n  estimate, not a proof: of " + (*sampled)["samples"].dump() + " random subsets of " +
            (*sampled)["size"].dump() + " vectors (seed " + (*sampled)["seed"].dump() + ") " +
            (*sampled)["independent"].dump() + " are independent, " + (*sampled)["dependent"].dump() +
            " dependent, " + (*sampled)["open"].dump() +
            " open; share of dependent subsets: " + share["lower"].dump() + " to " + share["upper"].dump() +
            " (Clopper-Pearson, 95 %)";
  }
  std::string lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines += (lines.empty() ? "" : "\n") + wrapped(line, 4);
  return lines;
}

namespace {

constexpr const char* kLeast = "0x1p-1074";  // of binary64

// numpy's rule, as a numeral: max(T, H d) 2^-52 times the largest singular value, which binary64 computes and
// is rounded up to the 24 bits of binary32, so that the same arrays have the same tolerance on other
// machines. Below the normal numbers, and of Z = 0, the least number of binary64.
std::string default_tolerance(const Question& q, const Case& c) {
  const std::optional<double> largest = binary64_largest_singular_value(c);
  if (!largest || !std::isfinite(*largest))
    q.refuse("tolerance", "has no default: Z overflows binary64", "a positive exact number");
  int exponent = 0;
  const double digits = std::ceil(std::ldexp(std::frexp(*largest, &exponent), 24));
  const std::size_t size = std::max(c.layer->examples, c.layer->heads * c.layer->embed_dim);
  const double tolerance = std::ldexp(digits * static_cast<double>(size), exponent - 24 - 52);
  if (tolerance < std::numeric_limits<double>::min()) return kLeast;
  char text[64];
  return "0x" +
         std::string(text, std::to_chars(text, text + sizeof text, tolerance, std::chars_format::hex).ptr);
}

// Shows what lies beside the answer, which is there all the same when it cannot be had.
void add_beside(const Question& q, const Case& c, const Json& certificate, Answer& answer) {
  try {
    report_progress("what is shown beside the answer", 0, 0);
    add_extras(q, c, steps_of(certificate, 0), answer.claims);
  } catch (const InputError& e) {
    answer.trouble = e.what();
    answer.status = kBadInput;
  } catch (const LimitError& e) {
    answer.trouble = e.what();
    answer.status = kLimit;
  }
}

ReadOptions reading_of(const Question& q) {
  return {.allow_outside = true, .memory_limit = q.limits().memory};
}

}  // namespace

QuestionCase put(const Question& q) {
  QuestionCase result{case_of(q), {}, {}};
  CaseValues& values = result.values;
  result.notes = notes_of(q, values);
  Case& c = result.c;
  // The BLAS has some memory for each thread.
  const std::size_t most = std::max<std::uint64_t>(q.limits().memory >> 27, 1);
  use_threads(q.count("jobs") != 0 ? q.count("jobs") : std::min(all_cores(), most));
  report_progress("reading", 0, 0);
  c = read_case(values, reading_of(q));
  if (q.name() != "numerical-rank" || q.has("tolerance")) return result;
  const std::string tolerance = default_tolerance(q, c);
  values.title += tolerance;
  values.claims[0].back().second = tolerance;
  c.title = values.title;
  c.claims[0].arguments["tolerance"] = parse_number(tolerance);
  result.notes.push_back("the tolerance is " + tolerance +
                         (tolerance == kLeast
                              ? ", the least number of binary64, as numpy's rule gives no normal one"
                              : ", max(T, H d) 2^-52 times the largest singular value in binary64, rounded "
                                "up to 24 bits") +
                         "; --tolerance says otherwise");
  return result;
}

namespace {

/// So that `attest check` of what is kept finds what it expects; the digest does not depend on that.
void expect_as_found(const Json& claims, CaseValues& values) {
  for (std::size_t k = 0; k < claims.size(); ++k)
    if (const std::string verdict = claims[k]["verdict"].get<std::string>(); verdict != "verified")
      values.claims[k].emplace_back("expect", verdict);
}

/// The digest of the case of a certificate, as far as its first bytes say.
std::string digest_in(const std::filesystem::path& certificate) {
  static const std::regex kDigest("\"digest\":\\s*\"([0-9a-f]{64})\"");
  constexpr std::uint64_t kHead = 4096;
  try {
    const FileBytes bytes = RegularFile(AT_FDCWD, certificate).read(kHead);
    const std::string head(bytes.view());
    std::smatch found;
    return std::regex_search(head, found, kDigest) ? found[1].str() : "";
  } catch (const FileError&) {
    return "";
  }
}

}  // namespace

Answer ask(const Question& q) {
  q.require_consistent();
  const std::string out = q.text("out");
  const bool kept = !out.empty() && out != "-";
  CaseOptions options = q.limits();
  limit_process(options);
  QuestionCase asked = put(q);
  const Case& c = asked.c;
  Answer answer;
  answer.notes = asked.notes;
  for (const std::size_t row : c.data.positions)
    answer.examples.emplace_back(row / c.layer->context, row % c.layer->context);

  const std::filesystem::path folder = kept ? out : ".";
  const std::string name = q.name() + ".json", writable = "a folder for --out that is writable and has room";
  std::optional<ProvedCase> known;
  if (options.changed) known = still_valid(c, folder / name, options);
  const bool unchanged = known.has_value();
  const auto keep = [&](ProvedCase& proved) {
    answer.claims = std::move(proved.claims);
    CaseValues values = asked.values;
    if (options.changed) expect_as_found(answer.claims, values);
    answer.case_file = case_text(values);
    answer.certificate = certificate_text(proved.certificate);
    if (!kept) return;
    answer.path = folder / name;
    for (const std::filesystem::path& place : {values.path, answer.path}) require_regular(place);
    if (std::filesystem::exists(answer.path) &&
        digest_in(answer.path) != proved.certificate["case"]["digest"])
      answer.notes.push_back("the certificate of other data is replaced: " + answer.path.generic_string());
    write_output(values.path, answer.case_file, writable);
    if (!unchanged) write_output(answer.path, answer.certificate, writable, Sync::later);
    sync_outputs(folder);
  };
  const auto prove = [&](bool guess) {
    options.guess = guess;
    ProvedCase proved = prove_case(c, folder, options);
    keep(proved);
    if (options.check)
      mark_checked(answer.claims, kept ? answer.path.string() : name, options.timeout, [&] {
        if (kept)
          return kernel::check_file(answer.path, {.allow_outside = true, .memory_limit = options.memory})
              .report;
        const Case again = read_case(asked.values, reading_of(q));
        return kernel::check(kernel::Problem(again), answer.certificate, name);
      });
    return proved;
  };
  // What is checked anyway may be guessed; where that was wrong it is searched for.
  const auto guessed = [&]() -> std::optional<ProvedCase> {
    if (!options.check) return {};
    try {
      return prove(true);
    } catch (const Rejected&) {
      return {};
    } catch (const Contradiction&) {
      return {};
    }
  };
  ProvedCase proved;
  if (unchanged) {
    keep(proved = std::move(*known));
    answer.claims.at(0)["unchanged"] = true;
  } else if (std::optional<ProvedCase> found = guessed()) {
    proved = std::move(*found);
  } else {
    proved = prove(false);
  }
  for (const Json& claim : answer.claims)
    if (claim["verdict"] == "undecided") answer.status = kLimit;
  for (const Json& claim : answer.claims)
    if (claim["statement"] == "output-memorizes")
      answer.claims[0]["values_as_given"] = claim["conclusion"] == "proved"    ? "yes"
                                            : claim["conclusion"] == "refuted" ? "no"
                                                                               : "undecided";
  add_beside(q, c, proved.certificate, answer);
  for (std::size_t k = 0; k < answer.claims.size(); ++k)
    answer.words.push_back(answer_text(q, c, k, answer.claims));
  // After the last number of heads.
  if (q.first("heads")) answer.words.at(q.count("heads") - *q.first("heads")) += capacity_bars(answer.claims);
  return answer;
}

}  // namespace attest
