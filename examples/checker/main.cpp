// Checks a certificate as attest-check does, and prints the verdict of each claim.
#include <iostream>

#include "base/errors.hpp"
#include "check/check_file.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: checks CERTIFICATE\n";
    return 2;
  }
  try {
    const attest::kernel::CheckedFile checked = attest::kernel::check_file(argv[1]);
    for (std::size_t i = 0; i < checked.report.size(); ++i)
      std::cout << checked.source.claims[i].statement << ": "
                << attest::verdict_text(checked.report[i].finding) << "\n";
    return 0;
  } catch (const attest::Failure& failure) {
    std::cout << "rejected: " << failure.what() << "\n";
    return 1;
  } catch (const attest::InputError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
