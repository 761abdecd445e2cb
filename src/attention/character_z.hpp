// Z under a character: the coefficients, hence Z, as a matrix over F_p.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "attention/layer.hpp"
#include "exact/character.hpp"

namespace attest {

/// The data of a case mod p (tokens) and mod q (tokens and queries), ready for heads to be evaluated one
/// after another.
class CharacterData {
public:
  /// `valid()` is false when p or q divides a denominator.
  CharacterData(const Case& c, const Character& character);
  bool valid() const { return valid_; }
  const Character& character() const { return character_; }

  /// The block of Z of head h: T x d balanced residues mod p, written with leading dimension `ld`. Optionally
  /// also the coefficients themselves (T x n residues). False when a denominator (of a weight mod q, or a
  /// softmax denominator mod p) vanishes.
  bool block(const AttentionLayer& layer, std::size_t h, double* out, std::size_t ld,
             std::vector<double>* coefficients = nullptr) const;

private:
  std::optional<std::vector<double>> logits(const AttentionLayer& layer, std::size_t h) const;

  const Case* case_;
  Character character_;
  std::shared_ptr<const PowerTable> powers_;
  bool valid_ = false;
  std::vector<double> tokens_p_, tokens_q_, queries_q_;
};

/// All of Z, T x Hd, row-major balanced residues; empty when a denominator vanishes.
std::optional<std::vector<double>> character_z(const CharacterData& data, const AttentionLayer& layer);

}  // namespace attest
