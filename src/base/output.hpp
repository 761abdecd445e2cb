// The one place where results leave the program: files, devices, and standard output.
#pragma once

#include <filesystem>
#include <string>

namespace attest {

/// What is right of a folder that --out names.
inline constexpr const char* kWritable = "a writable folder with room on the disk, or another one by --out";

/// Writes a result. `-`, or a name of what standard output is open on (/dev/stdout), is standard output.
/// A regular file, also one that a link names, is replaced at once, so that nobody ever sees half of it, and
/// keeps its mode; a new one is made together with its folders. Devices, FIFOs and the like are written into;
/// a FIFO that nobody reads for a second is an error.
/// Throws InputError: what went wrong, and `right`, what would be right. `sync`: whether a regular file is on
/// the disk when this returns, or sometime, at the latest after sync_outputs. A loss of power before that can
/// leave an empty file; nothing else can.
enum class Sync { now, later };
void write_output(const std::filesystem::path& where, const std::string& text,
                  const std::string& right = "a writable place, with room on the disk",
                  Sync sync = Sync::now);

/// Ensures that nothing but a regular file lies there, of a place in a folder that others may have filled.
/// Throws InputError.
void require_regular(const std::filesystem::path& where);

/// Returns when everything that was written to the file system of a folder is on the disk. Throws InputError
/// when it cannot be. Nothing happens when there is no such folder.
void sync_outputs(const std::filesystem::path& folder);

/// Whether write_output would write to standard output.
bool is_standard_output(const std::filesystem::path& where);

/// Flushes std::cout. Throws InputError when anything that was written to it since the start was lost.
void finish_standard_output();

}  // namespace attest
