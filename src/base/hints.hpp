// Of what people wrote, for messages: names that are nearly right, places in arrays.
#pragma once

#include <string>
#include <vector>

namespace attest {

/// The member of `known` that `word` most likely is a misspelling of; empty when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "[1, 2]"
std::string index_text(const std::vector<std::size_t>& index);

/// The index of row-major position `flat` in an array of this shape.
std::vector<std::size_t> unflatten(std::size_t flat, const std::vector<std::size_t>& shape);

}  // namespace attest
