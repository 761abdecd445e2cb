#include "tests/oracle/network.hpp"

#include <algorithm>
#include <functional>

namespace attest::test {
namespace {

using Q = mpq_class;
using Row = std::vector<Q>;

/// Equations a . z + c = 0 and inequalities a . z + c >= 0 in free variables; rows are (c, a).
struct System {
  std::vector<Row> equations, inequalities;
};

/// Exchanges the variable of column `col` with the left side of rows[at] in all rows (c, a).
void pivot(std::vector<Row>& rows, std::size_t at, std::size_t col) {
  Row& row = rows[at];
  const Q entry = row[col];
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j == col ? Q(1 / entry) : Q(-row[j] / entry);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == at || rows[i][col] == 0) continue;
    const Q f = rows[i][col];
    rows[i][col] = 0;
    for (std::size_t j = 0; j < row.size(); ++j) rows[i][j] += f * row[j];
  }
}

/// Least-index dual simplex, which ends for every system.
bool solvable(const System& system) {
  std::vector<Row> rows = system.equations;
  rows.insert(rows.end(), system.inequalities.begin(), system.inequalities.end());
  if (rows.empty()) return true;
  const std::size_t width = rows.front().size(), equations = system.equations.size();
  // Free variables leave through equations, then through inequalities.
  std::vector<bool> is_free(width, true), done(rows.size(), false), gone(width, false);
  std::vector<std::size_t> column_is(width);  // the inequality that a column stands for
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t col = 1;
    while (col < width && (!is_free[col] || gone[col] || rows[i][col] == 0)) ++col;
    if (col == width) {
      if (i < equations && rows[i][0] != 0) {
        // What is left of the equation is its constant: the other columns are 0 or gone.
        return false;
      }
      continue;
    }
    pivot(rows, i, col);
    done[i] = true;
    is_free[col] = false;
    if (i < equations) {
      gone[col] = true;  // the left side is 0
      for (Row& row : rows) row[col] = 0;
    } else {
      column_is[col] = i;
    }
  }
  std::vector<std::size_t> row_is(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) row_is[i] = i;
  while (true) {
    std::size_t leaving = rows.size(), entering = width;
    for (std::size_t i = equations; i < rows.size(); ++i) {
      if (done[i] || rows[i][0] >= 0) continue;
      if (leaving == rows.size() || row_is[i] < row_is[leaving]) leaving = i;
    }
    if (leaving == rows.size()) return true;
    for (std::size_t col = 1; col < width; ++col) {
      if (is_free[col] || gone[col] || rows[leaving][col] <= 0) continue;
      if (entering == width || column_is[col] < column_is[entering]) entering = col;
    }
    if (entering == width) return false;
    pivot(rows, leaving, entering);
    std::swap(row_is[leaving], column_is[entering]);
  }
}

constexpr std::size_t kMostPatterns = 200'000;

}  // namespace

std::optional<bool> network_fits(const std::vector<Row>& x, const Row& y, std::size_t m, bool output_bias) {
  const std::size_t T = x.size(), D = x.front().size();
  // Sets {t: w . x_t + b > 0} for some w, b.
  std::vector<std::vector<bool>> sets;
  System halves;
  std::vector<bool> set;
  const std::function<void()> extend = [&] {
    if (!solvable(halves)) return;
    if (set.size() == T) {
      sets.push_back(set);
      return;
    }
    for (const bool active : {true, false}) {
      Row row = {active ? -1 : 0};  // w . x + b - 1 >= 0, or -(w . x + b) >= 0
      for (const Q& entry : x[set.size()]) row.emplace_back(active ? entry : Q(-entry));
      row.emplace_back(active ? 1 : -1);
      halves.inequalities.push_back(row);
      set.push_back(active);
      extend();
      set.pop_back();
      halves.inequalities.pop_back();
    }
  };
  extend();

  double patterns = 1;
  for (std::size_t j = 0; j < m; ++j)
    patterns *= 2 * static_cast<double>(sets.size()) / static_cast<double>(j + 1);
  if (patterns > kMostPatterns) return std::nullopt;

  // Neurons are numbered by sign and set, in increasing order.
  std::vector<std::size_t> chosen;
  const auto sign = [&](std::size_t neuron) { return neuron < sets.size() ? 1 : -1; };
  const auto active = [&](std::size_t neuron, std::size_t t) { return sets[neuron % sets.size()][t]; };
  const auto fits = [&] {
    System system;
    for (std::size_t t = 0; t < T; ++t) {
      Row equation(2 + m * (D + 1));
      equation[0] = -y[t];
      equation[1] = output_bias ? 1 : 0;
      bool positive = false, negative = false;
      for (std::size_t j = 0; j < m; ++j) {
        Row row(2 + m * (D + 1));
        const bool on = active(chosen[j], t);
        for (std::size_t i = 0; i <= D; ++i) {
          const Q value = i < D ? x[t][i] : Q(1);
          const std::size_t col = 2 + j * (D + 1) + i;
          row[col] = on ? value : Q(-value);
          if (on) equation[col] = sign(chosen[j]) * value;
        }
        if (on) (sign(chosen[j]) > 0 ? positive : negative) = true;
        system.inequalities.push_back(std::move(row));
      }
      if (!output_bias && ((y[t] > 0 && !positive) || (y[t] < 0 && !negative))) return false;
      system.equations.push_back(std::move(equation));
    }
    return solvable(system);
  };
  const std::function<bool(std::size_t)> choose = [&](std::size_t least) {
    if (chosen.size() == m) return fits();
    for (std::size_t neuron = least; neuron < 2 * sets.size(); ++neuron) {
      chosen.push_back(neuron);
      const bool found = choose(neuron);
      chosen.pop_back();
      if (found) return true;
    }
    return false;
  };
  return choose(0);
}

}  // namespace attest::test
