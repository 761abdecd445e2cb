// A layer is the same in whatever form its case gives it.
#include "tests/input/forms.hpp"

#include <doctest/doctest.h>

#include "search/kernels.hpp"
#include "tests/attention/image.hpp"
#include "tests/input/support.hpp"
#include "theory/statements.hpp"

using namespace attest;

namespace {

struct Form {
  Form(const test::Folder& folder, const std::string& text)
      : source(read_case(folder.write("case.toml", text))), layer(source, *source.weights) {}
  Case source;
  AttentionLayer layer;
};

std::optional<std::vector<double>> z(const Form& form, const Character& character) {
  return test::character_z(form.layer, character);
}

}  // namespace

TEST_CASE("Z is the same in whatever form a case gives the layer") {
  const test::Folder folder;
  for (const auto& [one, other] : test::equal_forms()) {
    CAPTURE(one);
    CAPTURE(other);
    const Form a(folder, one), b(folder, other);
    const Dimensions& dims = *a.source.layer;
    for (std::size_t k = 0; k < 3; ++k) {
      const Character character = small_character(Ring::independent, k);
      const auto image = z(a, character);
      REQUIRE(image);
      CHECK(image == z(b, character));
      // One head alone, and rows in another order.
      for (std::size_t h = 0; h < dims.heads; ++h) {
        const LayerImage alone(b.layer, character, h);
        std::vector<double> block(dims.examples * dims.embed_dim);
        std::vector<std::size_t> reversed;
        for (std::size_t t = dims.examples; t-- > 0;) reversed.push_back(t);
        REQUIRE(alone.rows(reversed, block.data(), dims.embed_dim));
        for (std::size_t t = 0; t < dims.examples; ++t)
          for (std::size_t j = 0; j < dims.embed_dim; ++j)
            CHECK(block[(dims.examples - 1 - t) * dims.embed_dim + j] ==
                  (*image)[(t * dims.heads + h) * dims.embed_dim + j]);
      }
    }
    for (std::size_t t = 0; t < dims.examples; ++t) {
      REQUIRE(a.layer.tokens(t) == b.layer.tokens(t));
      for (std::size_t h = 0; h < dims.heads; ++h) {
        const std::vector<mpq_class> x = a.layer.logits(t, h), y = b.layer.logits(t, h);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] - x[0] == y[i] - y[0]);
      }
      for (std::size_t i = 0; i < a.layer.tokens(t); ++i) CHECK(a.layer.token(t, i) == b.layer.token(t, i));
    }
    CHECK(kernel::Problem(a.source).equal_contexts() == kernel::Problem(b.source).equal_contexts());
  }
}

TEST_CASE("coefficients of short contexts are filled up with 0") {
  const test::Folder folder;
  const Form form(folder, test::equal_forms()[2].first);
  const LayerImage image(form.layer, small_character(Ring::independent, 0));
  const std::vector<std::size_t> examples = {0, 1, 2, 3};
  std::vector<double> rows(4 * 4), coefficients(4 * 2 * 3, 7);
  REQUIRE(image.rows(examples, rows.data(), 4, coefficients.data()));
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t h = 0; h < 2; ++h) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double x = coefficients[(t * 2 + h) * 3 + i];
        CHECK((x == 0) == (i >= form.layer.tokens(t)));
        sum += x;
      }
      const auto p = static_cast<double>(image.character().p);
      CHECK((sum == 1 || sum == 1 - p || sum == 1 + p));
    }
}
