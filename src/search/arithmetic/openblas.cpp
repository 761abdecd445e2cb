// The functions of OpenBLAS that are used here, each of which loads the library when it is first called. It
// works on the thread that calls it, so that products can be parts of a parallel loop; only decompositions
// get its own threads. It starts these and their buffers, of about 30 MB each, when they are first wanted,
// and waits for ever where they are not to be had. Most commands never need it.
#include <dlfcn.h>
#include <fflas-ffpack/fflas-ffpack-config.h>
// The declarations, after the configuration.
#include <fflas-ffpack/config-blas.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "base/parallel.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest::blas {
namespace {

// OpenBLAS asks for memory again and again until there is some. Writable, because that is what a limit of the
// data segment (--memory) counts.
void require_memory() {
  const std::size_t needed = (std::size_t{96} + 48 * threads()) << 20;
  void* const room =
      ::mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, needed);
}

void* library() {
  static void* const handle = [] {
    require_memory();
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void* const opened = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) throw std::runtime_error(std::string("OpenBLAS cannot be loaded: ") + ::dlerror());
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

// A host process (numpy's) may have loaded OpenBLAS, with as many threads as there are cores.
void set_own_threads(std::size_t count) {
  static auto* const set = function<void(int)>("openblas_set_num_threads");
  set(static_cast<int>(count));
}

template <class Function>
Function* product_function(const char* name) {
  set_own_threads(1);
  return function<Function>(name);
}

// While a decomposition runs.
struct OwnThreads {
  OwnThreads() { set_own_threads(threads()); }
  ~OwnThreads() { set_own_threads(1); }
};

}  // namespace
}  // namespace attest::blas

#define ATTEST_FORWARD(result, name, parameters, arguments)                          \
  result name parameters {                                                           \
    static auto* const f = attest::blas::product_function<result parameters>(#name); \
    return f arguments;                                                              \
  }
#define ATTEST_FORWARD_WITH_THREADS(name, parameters, arguments)           \
  void name parameters {                                                   \
    static auto* const f = attest::blas::function<void parameters>(#name); \
    const attest::blas::OwnThreads own_threads;                            \
    f arguments;                                                           \
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
               (CBLAS_ORDER order, CBLAS_TRANSPOSE trans, int m, int n, double alpha, const double* a,
                int lda, const double* x, int dx, double beta, double* y, int dy),
               (order, trans, m, n, alpha, a, lda, x, dx, beta, y, dy))
ATTEST_FORWARD(void, cblas_sgemv,
               (CBLAS_ORDER order, CBLAS_TRANSPOSE trans, int m, int n, float alpha, const float* a, int lda,
                const float* x, int dx, float beta, float* y, int dy),
               (order, trans, m, n, alpha, a, lda, x, dx, beta, y, dy))
ATTEST_FORWARD(void, cblas_dgemm,
               (CBLAS_ORDER order, CBLAS_TRANSPOSE trans_a, CBLAS_TRANSPOSE trans_b, int m, int n, int k,
                double alpha, const double* a, int lda, const double* b, int ldb, double beta, double* c,
                int ldc),
               (order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
ATTEST_FORWARD(void, cblas_sgemm,
               (CBLAS_ORDER order, CBLAS_TRANSPOSE trans_a, CBLAS_TRANSPOSE trans_b, int m, int n, int k,
                float alpha, const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc),
               (order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
ATTEST_FORWARD(void, cblas_dtrsm,
               (CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
                int m, int n, double alpha, const double* a, int lda, double* b, int ldb),
               (order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb))
ATTEST_FORWARD_WITH_THREADS(dgesdd_,
                            (const char* jobz, const int* m, const int* n, double* a, const int* lda,
                             double* s, double* u, const int* ldu, double* vt, const int* ldvt, double* work,
                             const int* lwork, int* iwork, int* info),
                            (jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info))
ATTEST_FORWARD_WITH_THREADS(dsyevd_,
                            (const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                             double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                             int* info),
                            (jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info))
}
