#include "sim/lua/lua_live.h"

#include "sim/lua/lua_tables.h"

namespace mote::sim {
namespace {

/// Lua's messages call these values so: "number expected, got live value".
const char* const type_name = "live value";

const char* const operations[] = {"__add",   "__sub",      "__mul",    "__div", "__mod",  "__pow",
                                  "__unm",   "__idiv",     "__band",   "__bor", "__bxor", "__shl",
                                  "__shr",   "__bnot",     "__concat", "__len", "__lt",   "__le",
                                  "__index", "__newindex", "__call"};

}  // namespace

int refuse_live(lua_State* L) {
  return luaL_error(
      L,
      "a live value can only be passed on, as in { softening = live(\"softening\", 0.1) }; "
      "use param to compute with it");
}

void push_live(lua_State* L, int param) {
  *static_cast<int*>(lua_newuserdatauv(L, sizeof(int), 1)) = param;
  if (luaL_newmetatable(L, type_name))
    for (const char* operation : operations) {
      lua_pushcfunction(L, &refuse_live);
      lua_setfield(L, -2, operation);
    }
  lua_setmetatable(L, -2);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
}

bool is_live(lua_State* L, int index) {
  return luaL_testudata(L, index, type_name) != nullptr;
}

Value live_value(lua_State* L, int index) {
  const int param = *static_cast<const int*>(lua_touserdata(L, index));
  lua_getiuservalue(L, index, 1);
  Value value = scalar_value(L, -1);
  lua_pop(L, 1);
  value.param = param;
  return value;
}

}  // namespace mote::sim
