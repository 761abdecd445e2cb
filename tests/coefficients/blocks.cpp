#include "tests/coefficients/blocks.hpp"

namespace attest::test {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(Wide(a) * b % p);
}

std::uint64_t residue_of(const mpq_class& x, std::uint64_t m) {
  const mpz_class modulus(static_cast<unsigned long>(m));
  mpz_class inverse;
  REQUIRE(mpz_invert(inverse.get_mpz_t(), x.get_den_mpz_t(), modulus.get_mpz_t()) != 0);
  mpz_class result = x.get_num() * inverse % modulus;
  if (result < 0) result += modulus;
  return result.get_ui();
}

Matrix<std::uint64_t> image(const Case& c, const Logits& logits, const Wanted& wanted, const Character& by) {
  const Dimensions& layer = *c.layer;
  const std::size_t d = layer.embed_dim, width = wanted.outputs ? c.weights->value->shape()[2] : d;
  const std::uint64_t p = by.p;
  const auto inverse = [&](std::uint64_t x) { return textbook_power(x, p - 2, p); };
  Matrix<std::uint64_t> m(layer.examples, (wanted.last - wanted.first) * width + (wanted.ones ? 1 : 0));
  for (std::size_t t = 0; t < layer.examples; ++t) {
    const RationalMatrix tokens = tokens_of(c, t);
    for (std::size_t h = wanted.first; h < wanted.last; ++h) {
      std::vector<std::uint64_t> alpha;
      std::uint64_t sum = 0;
      for (const mpq_class& l : logits[t][h]) {
        alpha.push_back(textbook_power(by.g, residue_of(l, by.q), p));
        sum = (sum + alpha.back()) % p;
      }
      if (layer.sink)  // beside logits that have a rational scale in them; 0 beside an irrational one
        sum = (sum + textbook_power(by.g, residue_of(c.weights->sink->at(h), by.q), p)) % p;
      for (std::uint64_t& a : alpha) a = times(a, inverse(layer.sigmoid ? (a + 1) % p : sum), p);
      for (std::size_t k = 0; k < width; ++k) {
        std::uint64_t& entry = m(t, (h - wanted.first) * width + k);
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          mpq_class value = wanted.outputs ? mpq_class(0) : tokens(i, k);
          for (std::size_t j = 0; wanted.outputs && j < d; ++j)
            value += tokens(i, j) * c.weights->value->at((h * d + j) * width + k);
          if (wanted.outputs && c.weights->value_bias) value += c.weights->value_bias->at(h * width + k);
          entry = (entry + times(alpha[i], residue_of(value, p), p)) % p;
        }
      }
    }
    if (wanted.ones) m(t, m.cols() - 1) = 1;
  }
  return m;
}

}  // namespace

std::size_t textbook_rank_of_blocks(const Case& c, const Wanted& wanted) {
  const Logits logits = textbook_logits(c);
  std::size_t rank = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Character by = foreign_character(ring_of(c), k);
    rank = std::max(rank, textbook_rank_mod(image(c, logits, wanted, by), by.p));
  }
  return rank;
}

std::string line(const std::string& name, const Numbers& numbers, const std::vector<std::size_t>& shape) {
  std::string text = name + " = ";
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::size_t block = 1;
    std::string opening, closing;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      block *= shape[axis];
      if (k % block == 0) opening += "[";
      if ((k + 1) % block == 0) closing += "]";
    }
    text += (k > 0 ? ", " : "") + opening + "\"" + numbers[k].get_str() + "\"" + closing;
  }
  return text + "\n";
}

}  // namespace attest::test
