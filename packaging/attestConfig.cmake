# find_package(attest): attest::checker, the static library of attest-check.
include(CMakeFindDependencyMacro)
find_dependency(OpenSSL COMPONENTS Crypto)
find_dependency(nlohmann_json)
find_dependency(Threads)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/attestTargets.cmake)
