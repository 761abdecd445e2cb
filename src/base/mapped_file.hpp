// Files as they lie: arrays that are too large to be copied to memory.
#pragma once

#include "base/regular_file.hpp"

namespace attest {

/// The whole content, where it lies: pages are read when they are used and take no memory that the system
/// could not have back. What others write meanwhile shows; when they shorten the file, the process ends
/// (on_lost_file). Throws FileError.
FileBytes map_file(const RegularFile& file);
/// The same of a copy of the content that nobody else can reach: a file without a name in TMPDIR, or
/// /var/tmp. Throws FileError as RegularFile::read, and when there is no room.
FileBytes map_copy(const RegularFile& file);

/// What is called, with a message, when bytes of a mapped file are not there any more; must not return. By
/// default the message goes to standard error, and the exit status is 2.
void on_lost_file(void (*handler)(const char* message));

}  // namespace attest
