#include <zip.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "input/array_files.hpp"

namespace attest {
namespace {

/// The members of an archive in memory. libzip checks the structure and the CRC of what is read; here is
/// checked what it tolerates.
class Archive {
public:
  Archive(std::string_view bytes, const std::string& name) : name_(name) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* const archive =
        source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    const std::string why = zip_error_code_zip(&error) == ZIP_ER_EXISTS ? "two members have the same name"
                                                                        : zip_error_strerror(&error);
    zip_error_fini(&error);
    if (archive == nullptr) {
      if (source != nullptr) zip_source_free(source);
      fail("", "this is not a well-formed zip archive: " + one_line(why, 80), kRewrite);
    }
    archive_.reset(archive);
    list_members();
  }

  /// The content of the member that holds `array`.
  FileBytes read(const std::string& array, const Reserve& reserve) const {
    for (const std::string& candidate : {array, array + ".npy"}) {
      const auto found = std::find(members_.begin(), members_.end(), candidate);
      if (found != members_.end())
        return inflate(static_cast<zip_uint64_t>(found - members_.begin()), candidate, reserve);
    }
    std::vector<std::string> known = names();
    for (std::string& known_name : known) known_name = one_line(known_name, 60);
    if (known.size() > 30) {
      known.resize(30);
      known.push_back("...");
    }
    fail("", "there is no array " + in_quotes(array),
         known.empty() ? "the file has no arrays" : "the file has " + joined(known));
  }

  /// The names of the arrays, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const std::string& member : members_)
      out.push_back(member.ends_with(".npy") ? member.substr(0, member.size() - 4) : member);
    std::sort(out.begin(), out.end());
    return out;
  }

private:
  [[noreturn]] void fail(const std::string& place, const std::string& wrong, const std::string& right) const {
    throw InputError(name_, place, wrong, right);
  }

  void list_members() {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const char* const raw = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
      members_.emplace_back(raw == nullptr ? "" : raw);
    }
  }

  FileBytes inflate(zip_uint64_t index, const std::string& member, const Reserve& reserve) const {
    const std::string place = "array " + one_line(member, 60);
    zip_stat_t status;
    zip_stat_init(&status);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive_.get(), index, 0, &status) != 0 || (status.valid & kNeeded) != kNeeded)
      fail(place, "its entry in the archive is damaged", kRewrite);
    if (status.encryption_method != ZIP_EM_NONE)
      fail(place, "it is encrypted", "give an archive without a password");
    if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
      fail(place, "its compression method " + std::to_string(status.comp_method) + " is not supported",
           "numpy.savez stores, numpy.savez_compressed deflates; both are supported");
    reserve(status.size);
    FileBytes out(status.size);
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive_.get(), index, 0),
                                                                 zip_fclose);
    if (!file) fail(place, std::string("it cannot be read: ") + zip_strerror(archive_.get()), kRewrite);
    // Reading goes on to the very end, where the CRC is compared.
    char beyond = 0;
    for (std::size_t done = 0;;) {
      const bool end = done == status.size;
      const zip_int64_t got =
          zip_fread(file.get(), end ? &beyond : out.data() + done, end ? 1 : status.size - done);
      if (got < 0) fail(place, std::string("it cannot be read: ") + zip_file_strerror(file.get()), kRewrite);
      if (end && got == 0) return out;
      if (end || got == 0)
        fail(place, "it does not have the " + std::to_string(status.size) + " bytes that it says", kRewrite);
      done += static_cast<std::size_t>(got);
    }
  }

  static constexpr const char* kRewrite = "write it with numpy.savez";
  const std::string& name_;
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive_{nullptr, zip_discard};
  std::vector<std::string> members_;
};

}  // namespace

std::vector<std::string> npz_names(std::string_view bytes, const std::string& name) {
  return Archive(bytes, name).names();
}

ExactArray parse_npz(std::string_view bytes, const std::string& array, const std::string& name,
                     const Reserve& reserve) {
  const FileBytes member = Archive(bytes, name).read(array, reserve);
  return parse_npy(member.view(), name + ":" + one_line(array, 60), reserve);
}

}  // namespace attest
