#pragma once

#include <lua.hpp>

#include <string>
#include <vector>

namespace mote::sim {

/// State that the hooks of a scene share with it: upvalues of their functions, all tables reachable
/// from these and from global variables, and upvalues of functions among them. A resumed run
/// evaluates the text of the scene again and so has the initial values; none of them may change
/// during a run.
class SharedValues {
 public:
  /// Records everything reachable from these functions (references in the registry).
  SharedValues(lua_State* L, const std::vector<int>& functions);

  /// Describes a change: "the local variable 'n' of the scene was assigned", "limits.most of the
  /// scene was changed"; "" if there is none. The first by name if there are several.
  std::string changed(lua_State* L) const;

 private:
  /// A table, or a function with its upvalues.
  struct Holder {
    int owner = -1;    ///< the holder that refers to it; -1: a hook or a global variable
    std::string name;  ///< name in its owner
    bool function = false;
    int count = 0;  ///< number of keys or upvalues
  };
  std::string path_of(int holder, const std::string& key) const;
  void changes_of_table(lua_State* L, int holder, std::vector<std::string>& found) const;
  void changes_of_function(lua_State* L, int holder, std::vector<std::string>& found) const;
  friend class SharedReader;

  std::vector<Holder> holders_;
  int originals_ = LUA_NOREF;  ///< registry: list of the holders
  int copies_ = LUA_NOREF;     ///< registry: list of shallow copies of them
};

}  // namespace mote::sim
