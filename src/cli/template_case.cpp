#include "cli/template_case.hpp"

#include <filesystem>

#include "base/errors.hpp"
#include "base/output.hpp"
#include "base/text.hpp"

namespace attest {

std::string template_case() {
  return R"toml(# A case for attest: data, a layer and claims about it. docs/case-files.md documents every key.
format = 1
title = "What this case shows, in a sentence"

[layer]
heads = 2            # H
context = 2          # n, tokens per context
embed_dim = 3        # d
head_dim = 2         # d_h, the dimension of keys and queries
examples = 3         # T
# output_dim = 1     # d_out, of the labels
# base = "e"         # of the softmax: "e" or "2"
# logit_scale = "1/sqrt(d_h)"   # an exact number, 1/sqrt(d) or 1/sqrt(d_h)

[data]               # inline, { file = "x.npy" } or { file = "x.safetensors", tensor = "name" }; numbers are exact
contexts = [[1, 0, "1/2"], [0, 1, "0.25"]]          # (n, d), shared by all examples, or (T, n, d)
queries = [[1, 0, 0], [0, 1, 0], [1, 1, 1]]         # (T, d)
labels = [[1], [-1], ["1/3"]]                       # (T, d_out), optional
# generate = { kind = "integers", bound = 9, shared_context = true, seed = 7 }   # instead of the three arrays

# [weights]          # for claims about given weights: key and query, combined, generate, or layout and file
# key = { file = "wk.npy" }       # (H, d, d_h)
# query = { file = "wq.npy" }     # (H, d, d_h)
# generate = { kind = "integers", bound = 3, seed = 1 }
# layout = "bert"                # as a model stores them (attest layouts), with
# file = "model.safetensors"      # and prefix = "encoder.layer.0.attention.self."

[[claim]]
statement = "theorem-1"
expect = "verified"  # the default; or "verified-as-stated", "refuted", "inapplicable", "undecided"

[[claim]]
statement = "proposition-2"
)toml";
}

void write_template(const std::string& file) {
  if (!is_standard_output(file) && !file.ends_with(".toml"))
    throw InputError("attest new", "", in_quotes(file) + " is not a name of a case file",
                     "FILE.toml, or nothing to print the template");
  if (!is_standard_output(file) && std::filesystem::exists(file))
    throw InputError(file, "", "exists already, and is not overwritten", "give the name of a new file");
  write_output(file, template_case());
}

}  // namespace attest
