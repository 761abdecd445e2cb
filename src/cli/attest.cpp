#include <fcntl.h>

#include "cli/program.hpp"

namespace {

// Open descriptors in place of closed standard ones: no file that is opened later takes their numbers, and
// printing fails, as it should.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  return attest::run_program(argc, argv);
}
