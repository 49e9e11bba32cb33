#pragma once

#include <lua.hpp>

#include <string>
#include <vector>

namespace mote::sim {

/// What the hooks of a scene share with it: the variables of the scene that their functions use,
/// all tables that are reached from there and from global variables, and what other functions among
/// them use. A run that goes on from a checkpoint runs the text of the scene again and has all of
/// it as it was, so nothing of it may change on the way.
class SharedValues {
 public:
  /// Remembers everything that these functions (references in the registry) reach, as it is now.
  SharedValues(lua_State* L, const std::vector<int>& functions);

  /// What is no longer as it was: "the local variable 'n' of the scene was assigned", "limits.most
  /// of the scene was changed"; "" when nothing is. What comes first by name, where several are.
  std::string changed(lua_State* L) const;

 private:
  /// A table, or the variables that a function uses.
  struct Holder {
    int owner = -1;    ///< the holder where it was found first; -1: a hook, or a global variable
    std::string name;  ///< there
    bool function = false;
    int count = 0;  ///< of its keys or variables
  };
  std::string path_of(int holder, const std::string& key) const;
  void changes_of_table(lua_State* L, int holder, std::vector<std::string>& found) const;
  void changes_of_function(lua_State* L, int holder, std::vector<std::string>& found) const;
  friend class SharedReader;

  std::vector<Holder> holders_;
  int now_ = LUA_NOREF;   ///< registry: a list of the holders themselves
  int then_ = LUA_NOREF;  ///< and of copies of each, of its own keys alone
};

}  // namespace mote::sim
