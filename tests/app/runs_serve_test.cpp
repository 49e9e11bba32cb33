// The page of runs, over HTTP and in a real browser.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <thread>

#include "tests/app/chromium.h"
#include "tests/app/runs_fixture.h"
#include "tests/support/web/web_client.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// ServedRuns serves the folder of the test, and asks as the page does.
class ServedRuns : public Runs {
 protected:
  void serve() {
    program_.emplace(Call{.arguments = {"runs", "--serve=0"},
                          .folder = here(),
                          .environment = {{"ASAN_OPTIONS", "detect_leaks=0"}},
                          .output = here() / "said"});
    while (lines_of(text_of(here() / "said")).size() < 2 && !program_->ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string said = text_of(here() / "said");
    url_ = said.substr(said.find("http://"), said.find('\n') - said.find("http://"));
    place_.port = std::stoi(url_.substr(url_.rfind(':') + 1));
    place_.headers["Authorization"] = "Bearer " + url_.substr(url_.find('=') + 1);
  }
  WebAnswer ask(const std::string& target) const { return fetch(place_, "/api/" + target); }
  engine::Json json(const std::string& target) const {
    const WebAnswer answer = ask(target);
    EXPECT_EQ(answer.status, 200) << target << ": " << answer.text;
    return answer.status == 200 ? engine::parse_json(answer.text) : engine::Json();
  }
  /// Returns the id of a run in the list.
  std::string id_of(const std::string& name) const {
    const engine::Json list = json("runs");
    for (const engine::Json& run : list.at("runs"))
      if (run.at("name") == name) return run.at("id");
    ADD_FAILURE() << name << " is not in the list";
    return "";
  }
  std::string query(const std::string& name) const { return "?run=" + id_of(name); }

  std::optional<Running> program_;
  std::string url_;
  WebPlace place_;
};

TEST_F(ServedRuns, AreToldToThoseWhoHaveTheToken) {
  run_in("first");
  serve();
  const engine::Json answer = json("runs");
  EXPECT_EQ(answer.at("folder"), fs::canonical(here()).string() + "/");
  ASSERT_EQ(answer.at("runs").size(), 1u);
  EXPECT_EQ(answer.at("runs").at(0).at("state_hash"), hash_of(here() / "first"));
  for (const char* token : {"", "Bearer ", "Bearer 0123456789012345678901234567890123456789"}) {
    WebPlace stranger = place_;
    stranger.headers["Authorization"] = token;
    EXPECT_EQ(fetch(stranger, "/api/runs").status, 403) << token;
  }
  WebPlace other_site = place_;
  other_site.headers["Origin"] = "http://elsewhere.example";
  EXPECT_EQ(fetch(other_site, "/api/runs").status, 403);
  const WebAnswer page = fetch(place_, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.text.find("{{nonce}}"), std::string::npos);
  EXPECT_EQ(page.text.find("first"), std::string::npos)
      << "the page needs a token to know the runs";
}

TEST_F(ServedRuns, ShowWhatInfoSaysAndTheirFiles) {
  run_in("first");
  write(here() / "first/pictures/one.png", "no picture");
  serve();
  const engine::Json run = json("run" + query("first"));
  const auto has_line = [&](const std::string& name, const std::string& text) {
    for (const engine::Json& line : run.at("lines"))
      if (line.at("name") == name && line.at("text") == text) return true;
    return false;
  };
  EXPECT_TRUE(has_line("status", "done")) << run;
  EXPECT_TRUE(has_line("state hash", hash_of(here() / "first"))) << run;
  const auto kind_of = [&](const std::string& name) {
    for (const engine::Json& file : run.at("files"))
      if (file.at("name") == name) return file.at("kind").get<std::string>();
    return std::string("missing");
  };
  EXPECT_EQ(kind_of("pictures/one.png"), "picture");
  EXPECT_EQ(kind_of("log.txt"), "text");
  EXPECT_EQ(kind_of("snapshots/snapshot_0000.h5"), "");
  const WebAnswer file = ask("file" + query("first") + "&name=pictures/one.png");
  EXPECT_EQ(file.text, "no picture");
  EXPECT_EQ(file.headers.at("Content-Type"), "image/png");
  EXPECT_EQ(ask("file" + query("first") + "&name=run.json").text,
            text_of(here() / "first/run.json"));
}

TEST_F(ServedRuns, ListTheFirstOfTooManyFiles) {
  run_in("first");
  for (int i = 0; i < 2100; ++i)
    write(here() / "first/frames" / (std::to_string(10'000 + i) + ".png"), "");
  serve();
  const engine::Json run = json("run" + query("first"));
  ASSERT_EQ(run.at("files").size(), 2000u);
  EXPECT_EQ(run.at("all"), false);
  std::vector<std::string> names;
  for (const engine::Json& file : run.at("files")) names.push_back(file.at("name"));
  EXPECT_NE(std::find(names.begin(), names.end(), "run.json"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "frames/10000.png"), names.end());
  EXPECT_TRUE(names.back().starts_with("frames/")) << names.back();
}

// An answer may be sent as a document, and then an SVG of a stranger could run scripts.
TEST_F(ServedRuns, SendDrawingsOfOthersAsFilesAlone) {
  run_in("first");
  write(here() / "first/plot.svg", "<svg/>");
  serve();
  EXPECT_EQ(ask("file" + query("first") + "&name=plot.svg").headers.at("Content-Type"),
            "application/octet-stream");
}

TEST_F(ServedRuns, LeadToNoFileOutsideTheirFolder) {
  write(here() / "secret.txt", "what is outside");
  run_in("d/first");
  run_in("d/second");
  fs::create_symlink(here() / "secret.txt", here() / "d/first/link.txt");
  fs::create_directory_symlink(here(), here() / "d/first/up");
  serve();
  const std::string run = query("d/first");
  for (const char* name :
       {"../../secret.txt", "..%2f..%2fsecret.txt", "/etc/passwd", "link.txt", "up/secret.txt", "",
        ".", "../second/run.json", "run.json%00", "snapshots"}) {
    const WebAnswer answer = ask("file" + run + "&name=" + name);
    EXPECT_EQ(answer.status, 404) << name;
    EXPECT_EQ(answer.text.find("what is outside"), std::string::npos) << name;
  }
  for (const char* id : {"", "0", "-1", "1x", "1.1", "99", "../d/first", "1%2f.."})
    EXPECT_EQ(ask(std::string("run?run=") + id).status, 404) << id;
}

TEST_F(ServedRuns, AreRefusedIfTheirTablesAreElsewhere) {
  run_in("first");
  run_in("hidden/second");
  fs::remove(here() / "first/series.csv");
  fs::create_symlink(here() / "hidden/second/series.csv", here() / "first/series.csv");
  serve();
  for (const char* what : {"run", "plot", "compare"}) {
    const WebAnswer answer =
        ask(what + query("first") + "&what=energy&with=" + id_of("hidden/second"));
    EXPECT_EQ(answer.status, 404) << what;
    expect_all(answer.text, {"is a symbolic link to outside of the folder of the run"});
  }
}

TEST_F(ServedRuns, AreRefusedIfATableOrASnapshotIsALink) {
  run_in("first");
  write(here() / "s/jobs.json", R"({"jobs": [1]})");
  write(here() / "elsewhere.csv", "job,status\n");
  fs::create_symlink(here() / "elsewhere.csv", here() / "s/results.csv");
  fs::rename(here() / "first/snapshots/snapshot_0000.h5", here() / "elsewhere.h5");
  fs::create_symlink(here() / "elsewhere.h5", here() / "first/snapshots/snapshot_0000.h5");
  serve();
  for (const std::string& target : {"sweep" + query("s"), "run" + query("first")}) {
    const WebAnswer answer = ask(target);
    EXPECT_EQ(answer.status, 404) << target;
    expect_all(answer.text, {"is a symbolic link"});
  }
}

TEST_F(ServedRuns, AreRefusedOnceALinkHasTheirPlace) {
  run_in("first");
  run_in("elsewhere/second");
  serve();
  const std::string run = query("first");
  EXPECT_EQ(ask("run" + run).status, 200);
  fs::remove_all(here() / "first");
  fs::create_directory_symlink(here() / "elsewhere/second", here() / "first");
  EXPECT_EQ(ask("run" + run).status, 404);
  EXPECT_EQ(ask("file" + run + "&name=run.json").status, 404);
}

TEST_F(ServedRuns, ArePlottedWithoutWritingIntoTheirFolder) {
  run_in("first");
  serve();
  const auto before = files_below(here() / "first");
  const WebAnswer plot = ask("plot" + query("first") + "&what=energy");
  EXPECT_EQ(plot.headers.at("Content-Type"), "image/svg+xml");
  EXPECT_NE(plot.text.find("\nEnergy: kinetic ("), std::string::npos) << plot.text.substr(0, 500);
  EXPECT_EQ(files_below(here() / "first"), before);
  const WebAnswer wrong = ask("plot" + query("first") + "&what=enrgy");
  EXPECT_EQ(wrong.status, 404);
  expect_all(wrong.text, {"did you mean 'energy'?"});
}

TEST_F(ServedRuns, AreComparedByHashKeysAndLastMeasurements) {
  run_in("near");
  run_in("far", {"--set", "distance=2"});
  run_in("again");
  run_in("on_two");
  engine::Json record = json_of(here() / "on_two/run.json");
  record["devices"] = {0, 1};
  write(here() / "on_two/run.json", engine::json_text(record));
  serve();
  const std::string pair = query("near") + "&with=" + id_of("far");
  const engine::Json answer = json("compare" + pair);
  EXPECT_EQ(answer.at("same_hash"), false);
  const auto differing = [&](const std::string& key) -> engine::Json {
    for (const engine::Json& one : answer.at("keys"))
      if (one.at("key") == key) return {one.at("a"), one.at("b")};
    return nullptr;
  };
  EXPECT_EQ(differing("parameters.distance"), engine::parse_json("[1.0, 2.0]")) << answer;
  EXPECT_EQ(differing("scene.bodies.0.position.0"), engine::parse_json("[-0.5, -1.0]"));
  EXPECT_EQ(answer.at("last").at(1).at("name"), "step");
  EXPECT_EQ(answer.at("last").at(1).at("a"), 100.0);
  const engine::Json same = json("compare" + query("near") + "&with=" + id_of("again"));
  EXPECT_EQ(same.at("same_hash"), true);
  EXPECT_TRUE(same.at("keys").empty()) << same;
  const engine::Json on_two = json("compare" + query("near") + "&with=" + id_of("on_two"));
  EXPECT_EQ(on_two.at("keys").at(0).at("key"), "devices.0") << on_two;
  EXPECT_NE(ask("plot" + pair + "&what=energy").text.find("far: kinetic"), std::string::npos);
}

TEST_F(ServedRuns, OfASweepAreFoundByTheirJobs) {
  sweep_in("s");
  serve();
  const engine::Json sweep = json("sweep" + query("s"));
  EXPECT_EQ(sweep.at("rows").size(), 40u);
  EXPECT_EQ(sweep.at("columns").at(4), "number");
  EXPECT_EQ(sweep.at("rows").at(16).at(1), "failed");
  EXPECT_EQ(sweep.at("rows").at(16).at(4), "17");
  const engine::Json job = json("run" + query("s") + ".3");
  EXPECT_NE(job.at("lines").at(0).at("text").get<std::string>().find("s/runs/0003: run"),
            std::string::npos);
  for (const char* number : {".41", ".0", ".-1", ".17", ".3.3", "."})
    EXPECT_EQ(ask("run" + query("s") + number).status, 404) << number;
}

class RunsPage : public ServedRuns {
 protected:
  void SetUp() override {
    if (Chromium::missing()) GTEST_SKIP() << "the program chromium is missing";
    ServedRuns::SetUp();
  }
};

const char* const text_of_list = "document.getElementById('rows').textContent";

TEST_F(RunsPage, ShowsRunsAndComparesTwoInChromium) {
  write(here() / "binary.lua", std::string(binary_scene)
                                   .replace(std::string(binary_scene).find("Binary"), 6,
                                            "<img src=x onerror=document.title=1>"));
  run_in("near");
  run_in("far", {"--set", "distance=2"});
  serve();
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.polls > 0"));
  EXPECT_EQ(
      browser.value_of(std::string(text_of_list) + ".includes('" + hash_of(here() / "far") + "')"),
      "true");
  EXPECT_EQ(browser.value_of("document.querySelectorAll('#rows img').length"), "0")
      << "a title is text";
  browser.value_of("document.querySelector('#rows a').click()");
  EXPECT_TRUE(browser.becomes("document.querySelector('img.plot')?.naturalWidth === 1920"));
  EXPECT_TRUE(
      browser.becomes("document.getElementById('detail').textContent.includes('run.json')"));
  browser.value_of("document.getElementById('back').click()");
  EXPECT_TRUE(browser.becomes("!document.getElementById('list').hidden"));
  browser.value_of(
      "document.querySelectorAll('#rows input').forEach((tick) => tick.click()),"
      "document.getElementById('compare').click()");
  EXPECT_TRUE(browser.becomes(
      "document.getElementById('detail').textContent.includes('parameters.distance')"));
  EXPECT_TRUE(browser.becomes("document.getElementById('detail').textContent.includes('differ')"));
}

TEST_F(RunsPage, AsksForNothingWhileItsTabIsHidden) {
  serve();
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.polls > 1"));
  browser.value_of("Object.defineProperty(document, 'hidden', {value: true, writable: true})");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // one may be on its way
  const std::string before = browser.value_of("mote.polls");
  std::this_thread::sleep_for(std::chrono::seconds(4));
  EXPECT_EQ(browser.value_of("mote.polls"), before);
  browser.value_of(
      "document.hidden = false, document.dispatchEvent(new Event('visibilitychange'))");
  EXPECT_TRUE(browser.becomes("mote.polls > " + before));
}

TEST_F(RunsPage, FollowsARunThatGoesOn) {
  serve();
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.polls > 0"));
  EXPECT_EQ(browser.value_of(text_of_list), "");
  Running running({.arguments = {"run", "binary.lua", "--steps", "1e12", "--series-steps", "1e4",
                                 "--out", "long", "--quiet"},
                   .folder = here()});
  EXPECT_TRUE(browser.becomes(std::string(text_of_list) + ".includes('running 0 %')"));
  running.signal(SIGINT);
  running.wait();
  EXPECT_TRUE(browser.becomes(std::string(text_of_list) + ".includes('interrupted')"));
  program_->signal(SIGTERM);
  EXPECT_EQ(program_->wait().code, 0);
  EXPECT_TRUE(
      browser.becomes("document.getElementById('notice').textContent.includes('does not answer')"));
}

}  // namespace
}  // namespace mote::test
