// The program: its commands and their options. What they do is in the files of their names.
#pragma once

namespace attest {

/// Runs a command line, argv[0] being the name of the program; prints, and returns the exit status.
int run_program(int argc, char** argv);

}  // namespace attest
