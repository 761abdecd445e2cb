// What a run has done, for the next one to go on: a file to which whole lines are only added, one process at
// a time. Whoever writes it may be killed at any byte: what is lost is the line in work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/regular_file.hpp"

namespace attest {

class Journal {
public:
  /// `add`: the file is made when there is none, with its folders. `read`: while nobody adds to it. `look`:
  /// also while somebody does; what is not a whole line yet does not count.
  enum class Use { add, read, look };

  /// Throws InputError, which names the file: a link, or no regular file; in use by another process; what the
  /// system says.
  Journal(const std::filesystem::path& file, Use use);

  const std::string& file() const { return file_; }
  /// Those that were there when it was opened, without their line feeds.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Bytes of a last line that its writer did not finish.
  std::size_t torn() const { return torn_; }
  /// Cuts them off; a journal that is none, or somebody else's, is better left as it is.
  void drop_torn();

  /// One write, for a line without a line feed, after drop_torn(). Throws InputError when there is no room;
  /// then what was written of it is cut off.
  void add(std::string line);
  /// Puts it on the disk.
  void sync();

private:
  [[noreturn]] void refuse(const std::string& wrong, const std::string& right) const;

  std::string file_;
  Descriptor descriptor_;
  std::vector<std::string> lines_;
  std::uint64_t size_ = 0;  ///< of whole lines
  std::size_t torn_ = 0;
};

}  // namespace attest
