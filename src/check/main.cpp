#include "base/linux_memory.hpp"
#include "check/check_file.hpp"

int main(int argc, char** argv) {
  attest::system::prepare_heap();
  return attest::kernel::check_main(argc, argv);
}
