// The functions of OpenBLAS that are used here, each of which loads the library when it is first called.
// OpenBLAS starts its threads and their buffers when it is loaded: about 30 MB for each core, and it waits
// for ever where they are not to be had. Most commands never need it.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "exact/modular.hpp"

namespace attest::blas {
namespace {

int threads_at_start = 1;
bool loaded = false, chosen_by_user = false;

// OpenBLAS asks for memory again and again until there is some. Writable, because that is what a limit of the
// data segment (--memory) counts.
void require_memory() {
  const std::size_t needed = (std::size_t{96} + 48 * static_cast<std::size_t>(threads_at_start)) << 20;
  void* const room =
      ::mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, needed);
}

void* library() {
  static void* const handle = [] {
    require_memory();
    // The user's own choice goes first.
    chosen_by_user = std::getenv("OPENBLAS_NUM_THREADS") != nullptr;
    ::setenv("OPENBLAS_NUM_THREADS", std::to_string(threads_at_start).c_str(), 0);
    // A host process (numpy's) may have loaded it, with as many threads as there are cores.
    const bool already = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) != nullptr;
    void* const opened = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) throw std::runtime_error(std::string("OpenBLAS cannot be loaded: ") + ::dlerror());
    if (void* const set = already && !chosen_by_user ? ::dlsym(opened, "openblas_set_num_threads") : nullptr)
      reinterpret_cast<void (*)(int)>(set)(threads_at_start);
    loaded = true;
    return opened;
  }();
  return handle;
}

template <class Function>
Function* function(const char* name) {
  void* const found = ::dlsym(library(), name);
  if (found == nullptr) throw std::runtime_error(std::string("OpenBLAS has no ") + name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

void use_threads(int count) {
  if (!loaded)
    threads_at_start = count;
  else if (!chosen_by_user)
    function<void(int)>("openblas_set_num_threads")(count);
}

}  // namespace attest::blas

// The enumerations of the C interface are passed as int, their size.
#define ATTEST_FORWARD(result, name, parameters, arguments)                  \
  result name parameters {                                                   \
    static auto* const f = attest::blas::function<result parameters>(#name); \
    return f arguments;                                                      \
  }

extern "C" {
ATTEST_FORWARD(void, cblas_daxpy, (int n, double a, const double* x, int dx, double* y, int dy),
               (n, a, x, dx, y, dy))
ATTEST_FORWARD(void, cblas_saxpy, (int n, float a, const float* x, int dx, float* y, int dy),
               (n, a, x, dx, y, dy))
ATTEST_FORWARD(void, cblas_dcopy, (int n, const double* x, int dx, double* y, int dy), (n, x, dx, y, dy))
ATTEST_FORWARD(void, cblas_scopy, (int n, const float* x, int dx, float* y, int dy), (n, x, dx, y, dy))
ATTEST_FORWARD(double, cblas_ddot, (int n, const double* x, int dx, const double* y, int dy),
               (n, x, dx, y, dy))
ATTEST_FORWARD(float, cblas_sdot, (int n, const float* x, int dx, const float* y, int dy), (n, x, dx, y, dy))
ATTEST_FORWARD(void, cblas_dscal, (int n, double a, double* x, int dx), (n, a, x, dx))
ATTEST_FORWARD(void, cblas_sscal, (int n, float a, float* x, int dx), (n, a, x, dx))
ATTEST_FORWARD(void, cblas_dgemv,
               (int order, int trans, int m, int n, double alpha, const double* a, int lda, const double* x,
                int dx, double beta, double* y, int dy),
               (order, trans, m, n, alpha, a, lda, x, dx, beta, y, dy))
ATTEST_FORWARD(void, cblas_sgemv,
               (int order, int trans, int m, int n, float alpha, const float* a, int lda, const float* x,
                int dx, float beta, float* y, int dy),
               (order, trans, m, n, alpha, a, lda, x, dx, beta, y, dy))
ATTEST_FORWARD(void, cblas_dgemm,
               (int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double* a,
                int lda, const double* b, int ldb, double beta, double* c, int ldc),
               (order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
ATTEST_FORWARD(void, cblas_sgemm,
               (int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                int lda, const float* b, int ldb, float beta, float* c, int ldc),
               (order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
ATTEST_FORWARD(void, cblas_dtrsm,
               (int order, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                const double* a, int lda, double* b, int ldb),
               (order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb))
ATTEST_FORWARD(void, dgesdd_,
               (const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
                const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork,
                int* info),
               (jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info))
ATTEST_FORWARD(void, dsyevd_,
               (const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
                double* work, const int* lwork, int* iwork, const int* liwork, int* info),
               (jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info))
}
