#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/web/web_client.h"

namespace mote::test {

/// A Chromium runs without a display and has a page open.
class Chromium {
 public:
  /// Throws std::runtime_error if it cannot be used.
  explicit Chromium(const std::string& url) {
    process_.id = ::fork();
    if (process_.id == 0) become_chromium(url);
    const std::filesystem::path file = folder_.path() / "DevToolsActivePort";
    if (!wait_for([&] { return lines_of(text_of(file)).size() >= 2; }))
      throw std::runtime_error("Chromium does not start");
    place_.port = std::stoi(lines_of(text_of(file)).at(0));
    std::string target;
    const bool has_page = wait_for([&] {
      for (const engine::Json& one : engine::parse_json(fetch(place_, "/json").text))
        if (one.at("type") == "page") target = one.at("webSocketDebuggerUrl");
      return !target.empty();
    });
    if (!has_page) throw std::runtime_error("Chromium opens no page");
    line_ = std::make_unique<WebClient>(place_, target.substr(target.find("/devtools")));
  }

  engine::Json call(const std::string& method, engine::Json parameters = engine::Json::object()) {
    engine::Json message;
    message["id"] = ++calls_;
    message["method"] = method;
    message["params"] = std::move(parameters);
    line_->send(engine::json_text(message));
    while (const auto answer = line_->receive(std::chrono::seconds(60))) {
      engine::Json json = engine::parse_json(answer->bytes);
      if (json.value("id", 0) == calls_) return json.at("result");
    }
    throw std::runtime_error("Chromium does not answer");
  }
  /// Returns the value of a script, as text.
  std::string value_of(const std::string& script) {
    engine::Json parameters;
    parameters["expression"] = "String(" + script + ")";
    parameters["awaitPromise"] = true;
    return call("Runtime.evaluate", parameters).at("result").value("value", "");
  }
  bool becomes(const std::string& script) {
    return wait_for([&] { return value_of(script) == "true"; });
  }
  void key(const std::string& key) {
    for (const char* type : {"rawKeyDown", "keyUp"}) {
      engine::Json parameters;
      parameters["type"] = type;
      parameters["key"] = parameters["code"] = key;
      call("Input.dispatchKeyEvent", parameters);
    }
  }

  static bool missing() { return std::system("command -v chromium >/dev/null 2>&1") != 0; }

 private:
  /// A process that ends with its owner, also if the constructor of that throws.
  struct Process {
    pid_t id = -1;

    Process() = default;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
      if (id <= 0) return;
      ::kill(id, SIGTERM);
      ::waitpid(id, nullptr, 0);
    }
  };

  [[noreturn]] void become_chromium(const std::string& url) const {
    const int null = ::open("/dev/null", O_RDWR);
    for (const int descriptor : {0, 1, 2}) ::dup2(null, descriptor);
    const std::string profile = "--user-data-dir=" + folder_.path().string();
    ::execlp("chromium", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-port=0", "--remote-allow-origins=*", "--window-size=800,600",
             profile.c_str(), url.c_str(), nullptr);
    ::_exit(127);
  }
  template <class Condition>
  static bool wait_for(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }

  TemporaryFolder folder_;
  Process process_;
  WebPlace place_;
  std::unique_ptr<WebClient> line_;
  int calls_ = 0;
};

}  // namespace mote::test
