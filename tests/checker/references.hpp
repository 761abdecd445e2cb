// How steps refer to each other: `uses`, `layer`, the `of` of a rescaled layer, and the names Z(k).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace attest::test {

using Json = nlohmann::json;

/// Calls `visit` for the number of every step that this one refers to and writes back what it returns.
void rename_references(Json& step, const std::function<std::size_t(std::size_t)>& visit);

/// The steps without those at these positions and, transitively, those that refer to them; references are
/// renumbered. `kept`, when given, gets the old numbers of the steps that are left.
Json without_steps(const Json& steps, std::set<std::size_t> removed,
                   std::vector<std::size_t>* kept = nullptr);

}  // namespace attest::test
