#include "proofs/matrix_rank.hpp"

#include <algorithm>
#include <map>

#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "kernel/arithmetic/integer_rank.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {

SparseRational sparse(const RowRelation& relation) {
  SparseRational v;
  for (std::size_t k = 0; k < relation.rows.size(); ++k)
    v.emplace_back(relation.rows[k], mpq_class(relation.relation[k]));
  return v;
}

SparseRational sparse(const std::vector<mpz_class>& vector) {
  SparseRational v;
  for (std::size_t i = 0; i < vector.size(); ++i)
    if (vector[i] != 0) v.emplace_back(i, mpq_class(vector[i]));
  return v;
}

std::vector<SparseRational> sparse(const std::vector<std::vector<mpz_class>>& vectors) {
  std::vector<SparseRational> result;
  for (const std::vector<mpz_class>& v : vectors) result.push_back(sparse(v));
  return result;
}

std::uint64_t prime_of_independence(const std::vector<SparseRational>& vectors) {
  std::size_t length = 0;
  for (const SparseRational& v : vectors)
    if (!v.empty()) length = std::max(length, v.back().first + 1);
  for (std::size_t k = 0;; ++k) {
    const std::uint64_t p = small_prime(k);
    IndependentVectors chosen(p);
    const bool independent = std::all_of(vectors.begin(), vectors.end(), [&](const SparseRational& v) {
      std::vector<std::uint64_t> row(length);
      for (const auto& [i, value] : v) {
        const auto r = residue(value, p);
        if (!r) return false;
        row[i] = *r;
      }
      return chosen.add(std::move(row));
    });
    if (independent) return p;
  }
}

bool independent_rows_mod(const RationalMatrix& a, std::uint64_t p) {
  const std::optional<ModularMatrix> r = residues(a, p);
  return r && rank_profiles(*r, p).rank() == a.rows();
}

std::size_t add_rank(const std::string& of, const RationalMatrix& a, ProofScript& script) {
  const RankWitness witness = rank_with_witness(a);
  const std::size_t rank = witness.rank();
  if (rank > 0) script.minor(of, {witness.prime, 0, witness.minor.rows, witness.minor.cols});
  if (rank < std::min(a.rows(), a.cols()))
    script.zero(of, ProofScript::Side::right, sparse(witness.kernel), a.cols(), witness.prime);
  return rank;
}

void add_dependency(const std::string& of, const RowRelation& relation, std::size_t rows, std::size_t member,
                    ProofScript& script) {
  const std::vector<SparseRational> vectors = {sparse(relation)};
  script.zero(of, ProofScript::Side::left, vectors, rows, prime_of_independence(vectors),
              member == 0 ? Json::object() : Json{{"member", member}});
}

namespace {

const std::string kMatrix = "rank(matrix)";

// Primes that are looked at for a first minor, and for the same echelon form.
constexpr std::size_t kPrimes = 64;
// By so much a number is shorter than its residue, or it is none that was reconstructed by chance.
constexpr unsigned kSpareBits = 20;
// Relations of so many characters are preferred to primes, whose list would be shorter: they say more.
constexpr std::size_t kWelcome = 2000;

// Balanced residues of the matrix or its transpose; empty when p divides a denominator.
std::optional<std::vector<double>> balanced_residues(const ExactArray& array, std::uint64_t p,
                                                     bool transpose) {
  const auto residues = attest::residues(array, p);
  if (!residues) return std::nullopt;
  const std::size_t rows = array.shape()[0], cols = array.shape()[1];
  std::vector<double> result(residues->size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      result[transpose ? j * rows + i : i * cols + j] = blas::balanced((*residues)[i * cols + j], p);
  return result;
}

// A minor mod the first prime from number k on that divides no denominator.
MinorWitness minor_from(const ExactArray& array, std::size_t k) {
  for (;; ++k) {
    const std::uint64_t p = small_prime(k);
    const auto residues = balanced_residues(array, p, false);
    if (!residues) continue;
    MinorIndices minor =
        blas::rank_profiles(p, array.shape()[0], array.shape()[1], residues->data(), array.shape()[1]);
    return {p, 0, std::move(minor.rows), std::move(minor.cols)};
  }
}

// Vectors x with M x = 0, or y with y M = 0, one for each index beside the pivots of the echelon form, that
// seem to be so: reconstructed from residues modulo few primes. Empty when there are none of so few
// characters.
std::optional<std::vector<SparseRational>> short_relations(const ExactArray& array, ProofScript::Side side,
                                                           std::size_t rank, std::size_t characters) {
  const bool left = side == ProofScript::Side::left;
  const std::size_t height = array.shape()[left ? 1 : 0], width = array.shape()[left ? 0 : 1];
  std::vector<std::size_t> pivots;
  std::vector<mpz_class> values;  // of the echelon form beside its pivots, mod the product of the primes
  mpz_class modulus = 1;
  for (std::size_t k = 0, used = 0; k < kPrimes; ++k) {
    const std::uint64_t p = small_prime(k);
    const auto residues = balanced_residues(array, p, left);
    if (!residues) continue;
    const blas::ReducedEchelon echelon = blas::reduced_echelon(p, height, width, residues->data(), width);
    if (echelon.cols.size() != rank || (used > 0 && echelon.cols != pivots)) continue;
    pivots = echelon.cols;
    values.resize(echelon.rest.size());
    const std::uint64_t inverse = inverse_mod(mpz_fdiv_ui(modulus.get_mpz_t(), p), p);
    std::size_t nonzero = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t now = mpz_fdiv_ui(values[i].get_mpz_t(), p),
                          wanted = blas::unbalanced(echelon.rest[i], p);
      values[i] += modulus * multiply_mod((wanted + p - now) % p, inverse, p);
      nonzero += values[i] == 0 ? 0 : 1;
    }
    modulus *= p;
    ++used;
    // An entry that has not been found yet has more than half the bits that are there.
    const std::size_t digits = used < 2 ? 1 : mpz_sizeinbase(modulus.get_mpz_t(), 2) / 8;
    if (nonzero * (8 + digits) > characters) return std::nullopt;
    if (used < 2 || (used & (used - 1)) != 0) continue;
    std::vector<bool> is_pivot(width);
    for (const std::size_t col : pivots) is_pivot[col] = true;
    std::vector<SparseRational> relations;
    const std::size_t others = width - rank;
    bool found = true;
    for (std::size_t col = 0; col < width && found; ++col) {
      if (is_pivot[col]) continue;
      std::map<std::size_t, mpq_class> relation = {{col, 1}};
      mpz_class common = 1;
      for (std::size_t i = 0; i < rank && found; ++i) {
        const auto value = reconstructed(values[i * others + relations.size()], modulus);
        found = value && (abs(value->get_num()) * value->get_den() << kSpareBits) < modulus;
        if (!found || *value == 0) continue;
        relation[pivots[i]] = -*value;
        common = lcm(common, value->get_den());
      }
      SparseRational& entries = relations.emplace_back();
      for (auto& [index, value] : relation) entries.emplace_back(index, value * common);
    }
    if (found) return relations;
  }
  return std::nullopt;
}

// Adds the shorter of the relations between columns and between rows that the kernel accepts, if there are
// any of so few characters.
bool add_relations(const Case& c, const Claim& claim, std::size_t rank, std::size_t characters,
                   ProofScript& script) {
  const ExactArray& array = claim.array("matrix");
  std::optional<Json> best;
  for (const auto side : {ProofScript::Side::right, ProofScript::Side::left}) {
    const auto found = short_relations(array, side, rank, characters);
    if (!found) continue;
    const Json relations = *found;
    const std::size_t size = relations.dump().size();
    if (size > characters || (best && best->at("vectors").dump().size() <= size)) continue;
    ProofScript alone(c, claim);
    alone.zero(kMatrix, side, relations, array.shape()[side == ProofScript::Side::left ? 0 : 1],
               prime_of_independence(*found));
    meter().work(array.size() * found->size());
    try {
      kernel::CaseProof(c, &claim).proof.check_all({{0, &alone.steps().at(0)}});
      best = alone.steps().at(0);
    } catch (const Failure&) {  // no relations of the matrix, only of its residues
    }
  }
  if (!best) return false;
  const Json keys = {{"side", best->at("side")}, {"vectors", best->at("vectors")}, {"p", best->at("p")}};
  script.add("zero", Fact::at_most(kMatrix, rank), keys);
  return true;
}

// Primes modulo which these rows span all others, whose product exceeds Hadamard's bound; empty when the rows
// do so modulo too few, because the rank is larger.
std::optional<std::vector<std::uint64_t>> enough_primes(const kernel::IntegerMatrix& matrix,
                                                        const std::vector<std::size_t>& rows,
                                                        const mpz_class& bound) {
  std::vector<std::uint64_t> primes;
  mpz_class product = 1;
  for (std::size_t k = 0, refused = 0; product * product <= bound;) {
    report_progress("eliminations modulo primes", mpz_sizeinbase(product.get_mpz_t(), 2),
                    mpz_sizeinbase(bound.get_mpz_t(), 2) / 2);
    std::vector<std::uint64_t> next;  // one for each thread
    for (mpz_class all = product; next.size() < threads() && all * all <= bound; all *= next.back())
      next.push_back(small_prime(k++));
    std::vector<char> good(next.size());
    const std::size_t work = next.size() * matrix.size() * matrix.front().size() * (1 + rows.size() / 8);
    meter().work(work);
    in_parallel(next.size(), work,
                [&](std::size_t i) { good[i] = kernel::spanned_by(matrix, rows, next[i]) ? 1 : 0; });
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (good[i] == 0 && ++refused == kPrimes) return std::nullopt;
      if (good[i] == 0) continue;
      primes.push_back(next[i]);
      product *= next[i];
    }
  }
  return primes;
}

}  // namespace

void prove_matrix_rank(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const ExactArray& array = claim.array("matrix");
  const std::size_t height = array.shape()[0], width = array.shape()[1];
  for (std::size_t k = 0; k < kPrimes; ++k) {
    const MinorWitness minor = minor_from(array, k);
    const std::size_t rank = minor.rows.size();
    if (k > 0 && script.of(kMatrix).lower >= static_cast<unsigned long>(rank)) continue;
    if (rank > 0) script.minor(kMatrix, minor);
    if (rank == std::min(height, width) || conclude(claim, script.facts()).verdict != Verdict::undecided)
      return;
    const kernel::IntegerMatrix matrix =
        kernel::reduced(kernel::Rows(array, width, kernel::all_below(height)).exact());
    const mpz_class bound = kernel::hadamard_bound(matrix, rank + 1);
    // The product of the primes has half the bits of the bound, and each 22 and 7 digits.
    const std::size_t listed = mpz_sizeinbase(bound.get_mpz_t(), 2) / 44 * 8 + 5 * rank;
    if (add_relations(c, claim, rank, std::max(kWelcome, listed), script)) return;
    const auto primes = enough_primes(matrix, minor.rows, bound);
    if (!primes) continue;
    script.add("hadamard", Fact::at_most(kMatrix, rank), {{"rows", minor.rows}, {"primes", *primes}});
    return;
  }
  proof.reason = unmet_bounds(script, kMatrix, "rank(M)");
}

}  // namespace attest
