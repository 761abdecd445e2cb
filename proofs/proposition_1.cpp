// Proposition 1 (rank of Z). Under Assumptions 1 and 2 there are key and query weights with
// rank(Z) >= min(T, H (r - 1) + 1), r = min(n, d_h).
//
// Proof by induction on heads (Appendix B), executed in exact arithmetic:
//   1. Head 1 takes the first r examples; Claim 1 gives it coefficients for which its rows are independent.
//   2. A later head takes a row basis B of the matrix Z' so far and a fresh set I of r - 1 rows outside B, so
//      that Z'_I = C Z'_B. By Lemma 1 the rank grows by that of Z_I,h - C Z_B,h. A rank-one W' (Lemma 3),
//      scaled by lambda, freezes Z_B,h near tokens that do not depend on I, so the coefficients on I can be
//      picked one after another, each row outside the span of the earlier ones and of its own shift.
//   3. lambda is finite: the rank is verified at the lambda that is used, by a character. No limit is taken.
// Everything that decides is arithmetic in F_p; binary64 only proposes lambda.
#include "proofs/proposition_1.hpp"

#include <algorithm>
#include <cmath>

#include "proofs/affine_hull_bound.hpp"
#include "proofs/capacity.hpp"
#include "proofs/claim_1.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/lemma_3.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {

MinorIndices Construction::minor() const {
  MinorIndices all;
  for (const ConstructedHead& head : heads) {
    all.rows.insert(all.rows.end(), head.rows.begin(), head.rows.end());
    all.cols.insert(all.cols.end(), head.cols.begin(), head.cols.end());
  }
  return all;
}

namespace {

constexpr int kFreshSets = 12;       // tried per head
constexpr int kLambdaScalings = 12;  // of lambda, per fresh set
constexpr std::size_t kTailCharacters = 3;
// In base 2 the weights of a head are scaled so that all logits are integers, when these stay below this
// size.
constexpr long kIntegerLogitBits = 1024;
constexpr std::size_t kIntegerLogitWork = 400000;

std::vector<double> doubles(const ExactArray& array) {
  std::vector<double> result;
  for (std::size_t i = 0; i < array.size(); ++i) result.push_back(array.at(i).get_d());
  return result;
}

std::vector<std::vector<double>> doubles(const std::vector<RationalVector>& vectors) {
  std::vector<std::vector<double>> result;
  for (const RationalVector& v : vectors) {
    result.emplace_back();
    for (const mpq_class& x : entries(v)) result.back().push_back(x.get_d());
  }
  return result;
}

class Induction {
public:
  Induction(const Case& c, const Character& character, std::size_t r, bool certified)
      : case_(c),
        dims_(*c.layer),
        r_(r),
        certified_(certified),
        character_(character),
        random_(1, 0),
        inverses_(c),
        order_(c, random_),
        width_(dims_.heads * dims_.embed_dim),
        z_(dims_.examples * width_),
        in_basis_(dims_.examples, false),
        queries_(doubles(*c.data.queries)),
        contexts_(doubles(*c.data.contexts)) {}

  std::optional<Construction> run(std::size_t target) {
    const AttentionLayer zero(case_, std::vector<HeadFactors>(dims_.heads));
    if (!LayerImage(zero, character_).defined()) return std::nullopt;
    for (std::size_t h = 0; h < dims_.heads; ++h) {
      if (rows_.size() >= target) {  // nothing left to do: the other heads stay zero
        ConstructedHead idle;
        idle.rank_before = idle.rank_after = rows_.size();
        if (certified_ && h > 0 && !separate(idle, {})) return std::nullopt;
        heads_.push_back(std::move(idle));
        if (!evaluate(h)) return std::nullopt;
      } else if (!add_head(h)) {
        return std::nullopt;
      }
    }
    if (rows_.size() < target) return std::nullopt;
    return Construction{std::move(heads_), character_, std::move(z_)};
  }

private:
  std::uint64_t p() const { return character_.p; }
  std::size_t rank() const { return rows_.size(); }

  // Writes the block of head h of Z from the weights in heads_[h].
  bool evaluate(std::size_t h) {
    std::vector<HeadFactors> factors(dims_.heads);
    factors[h] = head_factors(heads_[h]);
    const AttentionLayer layer(case_, std::move(factors));
    const LayerImage image(layer, character_, h);
    return image.defined() && image.rows(range(0, dims_.examples), z_.data() + h * dims_.embed_dim, width_);
  }

  std::uint64_t z_entry(std::size_t t, std::size_t col) const {
    return blas::unbalanced(z_[t * width_ + col], p());
  }

  bool add_head(std::size_t h) {
    const std::size_t size =
        h == 0 ? std::min(r_, dims_.examples) : std::min(r_ - 1, dims_.examples - rank());
    std::vector<std::size_t> candidates;
    for (std::size_t t = 0; t < dims_.examples; ++t)
      if (!in_basis_[t]) candidates.push_back(t);
    for (int attempt = 0; attempt < kFreshSets; ++attempt) {
      if (try_fresh_set(h, independent_queries(candidates, size))) return true;
      for (std::size_t i = candidates.size(); i > 1; --i)
        std::swap(candidates[i - 1], candidates[random_.below(i)]);
    }
    return false;
  }

  // The first `size` candidates whose queries are independent (fewer only when Assumption 1 fails).
  std::vector<std::size_t> independent_queries(const std::vector<std::size_t>& candidates,
                                               std::size_t size) const {
    const std::size_t d = dims_.embed_dim;
    std::vector<std::size_t> fresh;
    for (std::size_t k = 0; size > 0; ++k) {
      const std::uint64_t prime = large_prime(k);
      const auto queries = residues(*case_.data.queries, prime);
      if (!queries) continue;
      IndependentVectors chosen(prime);
      for (std::size_t t : candidates) {
        if (fresh.size() == size) break;
        if (chosen.add({queries->begin() + static_cast<std::ptrdiff_t>(t * d),
                        queries->begin() + static_cast<std::ptrdiff_t>((t + 1) * d)}))
          fresh.push_back(t);
      }
      break;
    }
    return fresh;
  }

  bool try_fresh_set(std::size_t h, const std::vector<std::size_t>& fresh) {
    const auto left = left_inverse_of_queries(case_, fresh);
    if (!left) return false;
    ConstructedHead head;
    head.fresh = fresh;
    head.query = *left;
    head.rank_before = rank();

    std::optional<SeparatingFunctional> separating;
    if (h > 0) {
      separating = separate(head, *left);
      if (!separating) return false;
    }
    const Rest rest = rest_of(fresh);
    if (!pick_coefficients(head, rest, separating)) return false;
    make_logits_integers(head, separating);
    if (head.separator && certified_ && !head.fresh.empty() && dims_.context > 1) {
      head.bound = lambda_bound(case_, heads_, head, rows_, cols_);
      if (!head.bound) return false;
      while (head.separator->lambda <= head.bound->lambda_star.upper) head.separator->lambda *= 2;
    } else if (head.separator && case_.layer->base == Base::e) {
      head.separator->lambda = saturating_lambda(head, *separating);
    }

    heads_.push_back(std::move(head));
    for (int attempt = 0; attempt < kLambdaScalings; ++attempt) {
      if (evaluate(h) && extend_basis(h, rest)) return true;
      if (!heads_.back().separator) break;
      heads_.back().separator->lambda *= 2;
    }
    heads_.pop_back();
    return false;
  }

  // A separator for the head, which freezes the basis: of all examples that are not fresh if there is one,
  // else of the basis. `certified`: of all examples but r - 1, as tail_rank demands.
  std::optional<SeparatingFunctional> separate(ConstructedHead& head,
                                               const std::vector<RationalVector>& left) {
    if (!order_.distinct(rows_)) return std::nullopt;
    const std::vector<std::size_t> others = other_examples(case_, head.fresh);
    auto separating = separating_functional(case_, head.fresh, left, others, random_);
    if (!separating) separating = separating_functional(case_, head.fresh, left, rows_, random_);
    if (!separating) return std::nullopt;
    std::size_t tied = 0;
    for (std::size_t t = 0; t < dims_.examples; ++t)
      tied += !order_.distinct(t) || separating->products[t] == 0;
    if (certified_ && dims_.context > 1 && tied >= r_) return std::nullopt;
    head.separator = LetHead::Separator{order_.u(), separating->v, 1};
    return separating;
  }

  // The rows outside the basis, the fresh ones first, and the matrix X with Z'_rest = X Z'_B on the columns
  // of the minor.
  struct Rest {
    std::vector<std::size_t> rows;
    std::vector<double> x;  // |rows| x rank
  };

  Rest rest_of(const std::vector<std::size_t>& fresh) const {
    Rest rest{fresh, {}};
    for (std::size_t t = 0; t < dims_.examples; ++t)
      if (!in_basis_[t] && std::find(fresh.begin(), fresh.end(), t) == fresh.end()) rest.rows.push_back(t);
    const std::size_t rho = rank(), count = rest.rows.size();
    if (rho == 0) return rest;
    std::vector<double> minor(rho * rho), right(rho * count);  // transposed: M^T X^T = Z'_rest^T
    for (std::size_t i = 0; i < rho; ++i)
      for (std::size_t j = 0; j < rho; ++j) minor[j * rho + i] = z_[rows_[i] * width_ + cols_[j]];
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < rho; ++j) right[j * count + k] = z_[rest.rows[k] * width_ + cols_[j]];
    blas::solve(p(), rho, count, minor.data(), right.data());
    rest.x.resize(count * rho);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < rho; ++j) rest.x[k * rho + j] = right[j * count + k];
    return rest;
  }

  std::vector<std::uint64_t> token_mod(std::size_t t, std::size_t i) const {
    const std::size_t d = dims_.embed_dim, at = case_.token_row(t, i) * d;
    std::vector<std::uint64_t> v(d);
    for (std::size_t j = 0; j < d; ++j) v[j] = *residue(case_.data.contexts->at(at + j), p());
    return v;
  }

  // Step 2 in the limit lambda -> infinity: on the basis the head copies the token with the largest entry of
  // E_t W' e_t. For each fresh example in turn, prescribe one larger logit, at the first token for which the
  // row is independent of the earlier ones.
  bool pick_coefficients(ConstructedHead& head, const Rest& rest,
                         const std::optional<SeparatingFunctional>& separating) {
    const std::size_t n = dims_.context, d = dims_.embed_dim, rho = rank();
    std::vector<std::vector<std::uint64_t>> frozen;
    if (separating && !head.fresh.empty())
      for (std::size_t t : rows_)
        frozen.push_back(token_mod(t, peak(order_.products(t), separating->products[t]).index));
    // A raise by about log_b(4 n) gives the token most of the weight.
    const double raise = case_.layer->base == Base::e ? std::log(4.0 * n) : 1.0;
    const mpz_class value = static_cast<unsigned long>(n == 1 ? 0 : std::ceil(raise));
    const std::uint64_t peak_weight = power_mod(character_.g, value.get_ui(), p());
    const std::uint64_t sum = (peak_weight + n - 1) % p();
    if (sum == 0) return false;
    const std::uint64_t inverse = inverse_mod(sum, p());

    IndependentVectors chosen(p());
    for (std::size_t k = 0; k < head.fresh.size(); ++k) {
      const std::size_t t = head.fresh[k];
      std::vector<std::vector<std::uint64_t>> tokens;
      std::vector<std::uint64_t> total(d), shift(d);
      for (std::size_t i = 0; i < n; ++i) {
        tokens.push_back(token_mod(t, i));
        for (std::size_t j = 0; j < d; ++j) total[j] = (total[j] + tokens[i][j]) % p();
      }
      for (std::size_t b = 0; b < rho; ++b) {
        const std::uint64_t x = blas::unbalanced(rest.x[k * rho + b], p());
        for (std::size_t j = 0; j < d; ++j) shift[j] = (shift[j] + x * frozen[b][j]) % p();
      }
      bool found = false;
      for (std::size_t step = 0; step < n && !found; ++step) {
        const std::size_t i = (k + step) % n;
        std::vector<std::uint64_t> row(d);
        for (std::size_t j = 0; j < d; ++j) {
          const std::uint64_t z =
              ((peak_weight + p() - 1) % p() * tokens[i][j] + total[j]) % p() * inverse % p();
          row[j] = (z + p() - shift[j]) % p();
        }
        if (!chosen.add(std::move(row))) continue;
        found = true;
        auto a = inverses_.preimage(t, i, value);
        if (!a) return false;
        head.key.push_back(std::move(*a));
        head.logits.emplace_back(n);
        head.logits.back()[i] = value;
      }
      if (!found) return false;
    }
    return true;
  }

  // Base 2: multiplies W* and v by the common denominators of what they contribute to the logits, so that Z
  // becomes rational.
  void make_logits_integers(ConstructedHead& head, const std::optional<SeparatingFunctional>& separating) {
    if (case_.layer->base != Base::two ||
        dims_.examples * (dims_.context + head.fresh.size()) * dims_.embed_dim > kIntegerLogitWork)
      return;
    mpz_class star = 1, prime = 1, largest = 1;
    auto include = [](mpz_class& den, const mpq_class& x) {
      mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), x.get_den_mpz_t());
    };
    if (!head.fresh.empty()) {
      const AttentionLayer alone(case_, {HeadFactors{head.key, head.query}});
      for (std::size_t t = 0; t < dims_.examples; ++t)
        for (const mpq_class& l : alone.logits(t, 0)) {
          include(star, l);
          largest = std::max(largest, mpz_class(abs(l.get_num()) / l.get_den() + 1));
        }
    }
    if (separating)
      for (std::size_t t = 0; t < dims_.examples; ++t)
        for (const mpq_class& x : order_.products(t)) include(prime, mpq_class(x * separating->products[t]));
    if (star * largest > kIntegerLogitBits || prime > kIntegerLogitBits) return;
    for (RationalVector& a : head.key)
      for (mpz_class& x : a.num) x *= star;
    for (auto& row : head.logits)
      for (mpq_class& l : row) l *= star;
    if (head.separator) head.separator->lambda *= prime;
  }

  // A power of two for which W' outweighs W* on the basis; binary64 is good enough for a proposal.
  mpq_class saturating_lambda(const ConstructedHead& head, const SeparatingFunctional& separating) const {
    const std::size_t n = dims_.context, d = dims_.embed_dim;
    if (n == 1) return 1;
    const auto key = doubles(head.key), query = doubles(head.query);
    double needed = 1;
    for (std::size_t t : rows_) {
      std::vector<double> direction(d);
      for (std::size_t k = 0; k < key.size(); ++k) {
        double factor = 0;
        for (std::size_t j = 0; j < d; ++j) factor += query[k][j] * queries_[t * d + j];
        for (std::size_t j = 0; j < d; ++j) direction[j] += key[k][j] * factor;
      }
      double least = 0, most = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = case_.token_row(t, i) * d;
        double logit = 0;
        for (std::size_t j = 0; j < d; ++j) logit += direction[j] * contexts_[at + j];
        least = i == 0 ? logit : std::min(least, logit);
        most = i == 0 ? logit : std::max(most, logit);
      }
      const double gap = peak(order_.products(t), separating.products[t]).gap.get_d();
      needed = std::max(needed, (most - least + std::log(static_cast<double>(n)) + 4) / gap);
    }
    if (!std::isfinite(needed)) return 1;
    mpz_class lambda = 1;
    mpz_mul_2exp(lambda.get_mpz_t(), lambda.get_mpz_t(),
                 static_cast<mp_bitcnt_t>(std::ceil(std::log2(needed))));
    return lambda;
  }

  // Adds to the minor what head h adds to the rank: the rows of Z_rest,h - X Z_B,h that are independent, the
  // fresh ones first. False when a fresh row is not among them.
  bool extend_basis(std::size_t h, const Rest& rest) {
    const std::size_t d = dims_.embed_dim, rho = rank(), count = rest.rows.size();
    std::vector<double> product(count * d);
    if (rho > 0) {
      std::vector<double> basis_block(rho * d);
      for (std::size_t b = 0; b < rho; ++b)
        std::copy_n(&z_[rows_[b] * width_ + h * d], d, &basis_block[b * d]);
      blas::multiply(p(), count, d, rho, rest.x.data(), rho, basis_block.data(), d, false, product.data(), d);
    }
    ModularMatrix schur(count, d);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < d; ++j)
        schur(k, j) =
            (z_entry(rest.rows[k], h * d + j) + p() - blas::unbalanced(product[k * d + j], p())) % p();
    const MinorIndices minor = rank_profiles(schur, p());
    ConstructedHead& head = heads_.back();
    if (minor.rank() < head.fresh.size()) return false;
    for (std::size_t k = 0; k < head.fresh.size(); ++k)
      if (minor.rows[k] != k) return false;
    head.rows.clear();
    head.cols.clear();
    for (std::size_t k : minor.rows) head.rows.push_back(rest.rows[k]);
    for (std::size_t j : minor.cols) head.cols.push_back(h * d + j);
    rows_.insert(rows_.end(), head.rows.begin(), head.rows.end());
    cols_.insert(cols_.end(), head.cols.begin(), head.cols.end());
    for (std::size_t t : head.rows) in_basis_[t] = true;
    head.rank_after = rank();
    return true;
  }

  const Case& case_;
  const Dimensions& dims_;
  std::size_t r_;
  bool certified_;
  Character character_;
  SplitMix64 random_;
  ContextInverses inverses_;
  TokenOrder order_;
  std::size_t width_;
  std::vector<double> z_;
  std::vector<bool> in_basis_;
  std::vector<std::size_t> rows_, cols_;
  std::vector<double> queries_, contexts_;  // rounded, for proposals
  std::vector<ConstructedHead> heads_;
};

// The induction in words: fresh sets, and the rank before and after each head.
std::string induction_label(const Construction& construction) {
  std::string label;
  for (std::size_t h = 0; h < construction.heads.size(); ++h) {
    const ConstructedHead& head = construction.heads[h];
    if (h > 0 && head.key.empty() && !head.separator) return label + "; the other heads are zero";
    label += (h == 0 ? "head " : "; head ") + std::to_string(h) + ": fresh set {";
    for (std::size_t k = 0; k < head.fresh.size(); ++k)
      label += (k == 0 ? "" : ", ") + std::to_string(head.fresh[k]);
    label += "}, rank " + std::to_string(head.rank_before) + " -> " + std::to_string(head.rank_after);
  }
  return label;
}

}  // namespace

std::optional<Construction> construct(const Case& c, std::size_t target, std::size_t r, bool certified) {
  const Ring ring = c.layer->base == Base::e ? Ring::independent : Ring::two;
  for (std::size_t k = 0; k < kTailCharacters; ++k)
    if (auto construction = Induction(c, small_character(ring, k), r, certified).run(target))
      return construction;
  return std::nullopt;
}

ProofScript::Number add_construction(const Construction& construction, ProofScript& script) {
  const ProofScript::Number layer =
      script.label(induction_label(construction))
          .let({{"heads", std::vector<LetHead>(construction.heads.begin(), construction.heads.end())}});
  const MinorIndices minor = construction.minor();
  if (minor.rank() > 0)
    script.minor(ProofScript::rank_of(layer),
                 {construction.character.p, construction.character.g, minor.rows, minor.cols});
  derive(script, "some-weights", std::to_string(layer));
  derive(script, "some-coefficients", std::to_string(layer));
  return layer;
}

void prove_proposition_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  decide_hypotheses(c, effort, proof.script);
  if (const auto construction = construct(c, paper_lower_bound(*c.layer), head_rank(*c.layer)))
    add_construction(*construction, proof.script);
  else
    proof.reason = "the induction found no fresh set that it could use";
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
}

}  // namespace attest
