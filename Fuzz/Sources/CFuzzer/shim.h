#include <stddef.h>
#include <stdint.h>

// The entry point that libFuzzer offers to a program with a `main` of its own; it has no header.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t count));
