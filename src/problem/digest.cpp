#include "problem/digest.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <variant>

#include "base/parallel.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"

namespace attest {
namespace {

static_assert(std::endian::native == std::endian::little, "entries are hashed as they lie in memory");

/// The classes of entries, each containing those before it.
enum class Class { f4, f8, q };

/// x = m 2^e with m odd.
struct Binary {
  mpz_class m;
  long e = 0;
};

/// Precondition: x is not 0 and its denominator is a power of two.
Binary binary(const mpq_class& x) {
  const mp_bitcnt_t zeros = mpz_scan1(x.get_num_mpz_t(), 0);
  Binary out;
  mpz_tdiv_q_2exp(out.m.get_mpz_t(), x.get_num_mpz_t(), zeros);
  out.e = static_cast<long>(zeros) - static_cast<long>(mpz_scan1(x.get_den_mpz_t(), 0));
  return out;
}

/// The smallest class of an entry.
Class class_of(float) {
  return Class::f4;
}
Class class_of(double x) {
  // A double beyond the range of float would be undefined to convert.
  const bool small = std::fabs(x) <= std::numeric_limits<float>::max();
  return small && static_cast<double>(static_cast<float>(x)) == x ? Class::f4 : Class::f8;
}
Class class_of(std::int64_t x) {
  const std::uint64_t magnitude = x < 0 ? -static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  const int bits = magnitude == 0 ? 0 : 64 - std::countl_zero(magnitude) - std::countr_zero(magnitude);
  return bits <= 24 ? Class::f4 : (bits <= 53 ? Class::f8 : Class::q);
}
Class class_of(const mpq_class& x) {
  if (x == 0) return Class::f4;
  if (mpz_popcount(x.get_den_mpz_t()) != 1) return Class::q;
  const Binary b = binary(x);
  const auto bits = static_cast<long>(mpz_sizeinbase(b.m.get_mpz_t(), 2));
  if (bits <= 24 && b.e >= -149 && b.e + bits <= 128) return Class::f4;
  return bits <= 53 && b.e >= -1074 && b.e + bits <= 1024 ? Class::f8 : Class::q;
}

/// Entries of class f4 or f8 as floats: exact, and +0 for -0.
template <typename Float, typename Entry>
Float as_float(const Entry& x) {
  if constexpr (std::is_same_v<Entry, mpq_class>) {
    if (x == 0) return 0;
    const Binary b = binary(x);
    return static_cast<Float>(std::ldexp(b.m.get_d(), static_cast<int>(b.e)));
  } else {
    return static_cast<Float>(x) + Float{0};
  }
}

template <typename Float, typename Entries>
void hash_floats(const Entries& entries, Sha256& hash) {
  constexpr std::size_t kBlock = 1 << 14;
  std::vector<Float> block(std::min(kBlock, entries.size()));
  for (std::size_t begin = 0; begin < entries.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, entries.size() - begin);
    for (std::size_t i = 0; i < count; ++i) block[i] = as_float<Float>(entries[begin + i]);
    hash.add(block.data(), count * sizeof(Float));
  }
}

template <typename Entries>
Class class_of_all(const Entries& entries) {
  std::atomic<Class> smallest = Class::f4;
  in_ranges(entries.size(), entries.size() * sizeof entries[0], [&](std::size_t first, std::size_t end) {
    Class own = Class::f4;
    for (std::size_t i = first; i < end && own != Class::q; ++i) own = std::max(own, class_of(entries[i]));
    for (Class seen = smallest; seen < own && !smallest.compare_exchange_weak(seen, own);) {
    }
  });
  return smallest;
}

/// Arguments of claims and arrays as the canonical text writes them.
struct CanonicalText {
  std::string operator()(const mpz_class& value) { return value.get_str(); }
  std::string operator()(const mpq_class& value) { return number_text(value); }
  std::string operator()(bool value) { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) { return value; }
  std::string operator()(const std::vector<std::size_t>& value) { return integer_list(value, ","); }
  std::string operator()(const ExactArray& array) {
    const void* const entries =
        std::visit([](const auto& all) { return static_cast<const void*>(all.data()); }, array.storage());
    std::string& digest = known[{entries, array.storage().index(), array.shape()}];
    if (digest.empty()) digest = array_digest(array);
    return digest;
  }

  /// An array that several claims name is hashed once.
  std::map<std::tuple<const void*, std::size_t, std::vector<std::size_t>>, std::string> known{};
};

/// Of the rows of the contexts, a line for each example.
std::string members_digest(const Members& members) {
  Sha256 hash;
  for (std::size_t t = 0; t + 1 < members.starts.size(); ++t)
    hash.add(integer_list(members.list(t), ",") + "\n");
  return hash.hex();
}

std::string layer_line(const Dimensions& layer) {
  const LogitScale& scale = layer.logit_scale;
  return "layer H=" + std::to_string(layer.heads) + " n=" + std::to_string(layer.context) +
         " d=" + std::to_string(layer.embed_dim) + " d_h=" + std::to_string(layer.head_dim) +
         " T=" + std::to_string(layer.examples) + " d_out=" + std::to_string(layer.output_dim) +
         " d_v=" + std::to_string(layer.value_dim) + " base=" + (layer.base == Base::e ? "e" : "2") +
         " scale=" +
         (scale.irrational() ? "1/sqrt(" + std::to_string(scale.radicand) + ")"
                             : number_text(scale.rational)) +
         (layer.sink ? " sink=true" : "") + (layer.sigmoid ? " coefficients=sigmoid" : "") +
         (layer.query_bias ? " query_bias=true" : "") + (layer.given_stack ? " layers_before=given" : "") +
         "\n";
}

/// What a layer before the layer is, but for its arrays.
std::string stack_line(const StackLayer& layer) {
  const std::string residual = std::string(" residual=") + (layer.residual ? "true" : "false");
  if (layer.kind == StackLayer::Kind::rmsnorm) return "rmsnorm epsilon=" + number_text(layer.epsilon) + "\n";
  if (layer.kind == StackLayer::Kind::mlp) return "mlp activation=" + layer.activation + residual + "\n";
  return "attention heads=" + std::to_string(layer.heads) +
         (layer.free ? " head_dim=" + std::to_string(layer.head_dim) : "") + residual +
         " members=" + members_digest(*layer.members) + "\n";
}

}  // namespace

std::string array_digest(const ExactArray& array) {
  return std::visit(
      [&](const auto& entries) {
        const Class smallest = class_of_all(entries);
        Sha256 hash;
        if (smallest == Class::f4) hash_floats<float>(entries, hash);
        if (smallest == Class::f8) hash_floats<double>(entries, hash);
        if (smallest == Class::q) {
          for (std::size_t i = 0; i < entries.size(); ++i) hash.add(array.at(i).get_str(16) + "\n");
        }
        static constexpr const char* kNames[] = {"f4", "f8", "q"};
        return integer_list(array.shape(), "x") + " " + kNames[static_cast<int>(smallest)] + " " + hash.hex();
      },
      array.storage());
}

std::string problem_digest(const Case& source) {
  Sha256 hash;
  CanonicalText text;
  hash.add("attest-problem/1\n");
  if (source.layer) hash.add(layer_line(*source.layer));
  const auto add = [&](const char* name, const std::optional<ExactArray>& array) {
    if (array) hash.add("array " + std::string(name) + " shape=" + text(*array) + "\n");
  };
  for (const auto& [name, array] : kDataArrays) {
    add(name, source.data.*array);
    if (array != &Data::hidden) continue;
    if (source.data.members) hash.add("members " + members_digest(*source.data.members) + "\n");
    if (source.data.hidden) hash.add("positions " + integer_list(source.data.positions, ",") + "\n");
  }
  for (std::size_t k = 0; k < source.stack.size(); ++k) {
    const std::string name = "before." + std::to_string(k);
    hash.add(name + " " + stack_line(source.stack[k]));
    for (const auto& [key, array] : kStackArrays) add((name + "." + key).c_str(), source.stack[k].*array);
  }
  for (const auto& [name, array] : kWeightArrays)
    if (source.weights) add(name, (*source.weights).*array);
  for (const Claim& claim : source.claims) {
    hash.add("claim " + std::to_string(claim.index) + " " + claim.statement + "\n");
    for (const auto& [key, value] : claim.arguments) hash.add(key + "=" + std::visit(text, value) + "\n");
  }
  return hash.hex();
}

}  // namespace attest
