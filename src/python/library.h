/* The C interface of attest, which the Python module calls: strings of UTF-8 and buffers, no exceptions.
   Whatever is asked is done in a child process, so that the caller's process is left as it is. Everything is
   valid until attest_end, and no task is used by two threads at once. */
#ifndef ATTEST_LIBRARY_H
#define ATTEST_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array in the caller's memory, which goes by a name: FILE.npy and "", or FILE.safetensors and a name. */
typedef struct {
  const char *file, *name;
  const char* header;  /**< of numpy's file format, or with 'descr': 'numerals' (readers/array_files.hpp) */
  const void* entries; /**< row-major; read by attest_start alone, as they are then */
  size_t bytes;
} attest_array;

typedef struct attest_task attest_task;

/** MAJOR.MINOR.PATCH */
const char* attest_version(void);

/** The questions and their arguments, as JSON: [{"name", "says", "arguments": [{"name", "says", ...}]}]. */
const char* attest_questions(void);

/** Begins to do `function` ("ask", "check", "explain", "digest", "write" or "sampled_ranks") with
   arguments in a JSON object and with arrays; `observed`: attest_progress will be called. Never null. */
attest_task* attest_start(const char* function, const char* arguments, const attest_array* arrays,
                          size_t count, int observed);

/** Waits for at most so many seconds; whether the task has ended. */
int attest_ended(attest_task* task, double seconds);

/** What is being done (a string that stays), how much of it, and of how much (0: nobody knows). */
const char* attest_progress(attest_task* task, uint64_t* done, uint64_t* total);

/** A JSON object with one key, when the task has ended: "answer"; or "input": [file, place, wrong, right,
   argument], when something is wrong with what was given; "limit", "rejected" (by the checker) or "failed",
   and why. */
const char* attest_answer(attest_task* task);

/** Ends the task, however far it is, and frees what it holds. */
void attest_end(attest_task* task);

#ifdef __cplusplus
}
#endif

#endif
