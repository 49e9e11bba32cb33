#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace mote::render::serve {

/// A SiteRequest is what a page asks for beside its WebSocket. The server has checked its token.
struct SiteRequest {
  std::string path;                          ///< "/api/files"
  std::map<std::string, std::string> query;  ///< "?id=3&name=a%20b" is {id: "3", name: "a b"}
  bool may_steer = false;                    ///< the token is the one that lets a page steer
};

struct SiteAnswer {
  int status = 200;  ///< of HTTP
  std::string type = "application/json";
  std::string body = {};            ///< the answer, or why there is none
  std::filesystem::path file = {};  ///< if not empty, this file is sent in place of the body
  std::string name = {};            ///< if not empty, the browser saves the answer under this name
};

/// An Upload is a file that a page sends.
struct Upload {
  std::string name;            ///< what the page calls it, as it came
  std::filesystem::path file;  ///< its content, in a file that is removed after the call
};

struct UploadPlace {
  std::filesystem::path file = {};
  std::string refusal = {};
};

/// A Site is what a server shows: one page, and what that page asks for by HTTP at /api/. The
/// server calls it in its own thread, one call at a time.
class Site {
 public:
  virtual ~Site() = default;

  /// Returns the page as HTML. Every "{{nonce}}" in it is replaced by the mark of scripts and
  /// styles that may run.
  virtual std::string_view page() const = 0;
  virtual SiteAnswer get(const SiteRequest& request) = 0;

  /// Returns where an upload is written until it is complete, or why it is not taken. `bytes` is
  /// the length that the page has announced; the page must be one that may steer.
  virtual UploadPlace place_for_upload(const std::string& name, std::uint64_t bytes) {
    static_cast<void>(name), static_cast<void>(bytes);
    return {.refusal = "this page takes no files"};
  }
  virtual SiteAnswer take(const Upload& upload) {
    static_cast<void>(upload);
    return {.status = 405, .type = "text/plain", .body = "this page takes no files\n"};
  }
};

/// Parses "/api/files?id=3".
SiteRequest parse_target(std::string_view target);

}  // namespace mote::render::serve
