/* main of attest-check-proved: runs the OCaml program on a stack of 16 GiB of address space, of which it takes memory
   for what it touches.  The extracted functions recur as deep as their lists are long; `ulimit -s` does not matter.
   Beyond it a guard makes OCaml raise Stack_overflow. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include <caml/callback.h>

static void* run(void* argv) {
  caml_main(argv); /* ends with exit */
  return NULL;
}

int main(int argc, char** argv) {
  const size_t guard = 1 << 16, least = 1 << 23;
  size_t size = (size_t)1 << 34;
  void* stack = MAP_FAILED;
  pthread_attr_t attributes;
  pthread_t thread;
  (void)argc;
  for (; size >= least && stack == MAP_FAILED; size /= 2)  /* less where the address space is limited */
    stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  size *= 2;
  if (stack == MAP_FAILED || mprotect(stack, guard, PROT_NONE) != 0 || pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, size) != 0 || pthread_create(&thread, &attributes, run, argv) != 0) {
    fputs("attest-check-proved: limit: no memory for a stack\n", stderr);
    return 3;
  }
  pthread_join(thread, NULL);
  return 0;
}
