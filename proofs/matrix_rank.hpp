// Ranks of rational matrices as facts: a minor from below, kernel vectors from above.
#pragma once

#include "proofs/proof.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// A relation of rows, or any vector, as `zero` writes it: its non-zero entries.
SparseRational sparse(const RowRelation& relation);
SparseRational sparse(const std::vector<mpz_class>& vector);
std::vector<SparseRational> sparse(const std::vector<std::vector<mpz_class>>& vectors);

/// A prime mod which the vectors are independent and which divides none of their denominators. Precondition:
/// they are independent over Q.
std::uint64_t prime_of_independence(const std::vector<SparseRational>& vectors);

/// Whether the rows are independent mod p; false when p divides a denominator.
bool independent_rows_mod(const RationalMatrix& a, std::uint64_t p);

/// Returns the exact rank of a matrix and adds the steps that prove it: a bound that needs no proof (0, the
/// smaller dimension) has none. `of`: the quantity, such as "rank(a)".
std::size_t add_rank(const std::string& of, const RationalMatrix& a, ProofScript& script);

/// rank(`of`) <= its rows - 1, by a dependency of rows; `member` of a family.
void add_dependency(const std::string& of, const RowRelation& relation, std::size_t rows, std::size_t member,
                    ProofScript& script);

}  // namespace attest
