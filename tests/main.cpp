#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

// Tests write many small files, which a disk makes them wait for: to memory, where there is room.
int main(int argc, char** argv) {
  std::error_code error;
  const auto memory = std::filesystem::space("/dev/shm", error);
  if (!error && memory.available > 4'000'000'000) ::setenv("TMPDIR", "/dev/shm", 0);
  return doctest::Context(argc, argv).run();
}
