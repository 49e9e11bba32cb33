#include "sim/lua/lua_library.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "sim/lua/lua_live.h"

namespace mote::sim {
namespace {

/// True if Lua would print the value at `index` as an address.
bool has_address(lua_State* L, int index) {
  const int type = lua_type(L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
         type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA;
}

/// True if item `a` of the list at stack index 1 sorts before item `b`, by the function at index 2.
bool goes_before(lua_State* L, std::uint32_t a, std::uint32_t b) {
  lua_pushvalue(L, 2);
  lua_rawgeti(L, 1, a);
  lua_rawgeti(L, 1, b);
  lua_call(L, 2, 1);
  const bool before = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return before;
}

/// Merges two runs of list indices, [begin, middle) and [middle, end), into `to`.
void merge(lua_State* L, const std::uint32_t* from, std::uint32_t* to, std::size_t begin,
           std::size_t middle, std::size_t end) {
  std::size_t left = begin, right = middle;
  for (std::size_t k = begin; k < end; ++k) {
    const bool from_right =
        left == middle || (right < end && goes_before(L, from[right], from[left]));
    to[k] = from_right ? from[right++] : from[left++];
  }
}

}  // namespace

int plain_tostring(lua_State* L) {
  luaL_checkany(L, 1);
  if (is_live(L, 1)) return refuse_live(L);
  if (has_address(L, 1))
    lua_pushstring(L, luaL_typename(L, 1));
  else
    luaL_tolstring(L, 1, nullptr);
  return 1;
}

int plain_format(lua_State* L) {
  std::size_t length = 0;
  const char* const text = luaL_checklstring(L, 1, &length);
  int argument = 1;
  for (const char *c = text, *const end = text + length; c < end; ++c) {
    if (*c != '%' || ++c == end || *c == '%') continue;
    while (c < end && !std::isalpha(static_cast<unsigned char>(*c))) ++c;
    ++argument;
    if (c < end && *c == 'p')
      return luaL_error(L, "string.format has no %%p: addresses differ between runs");
    if (c < end && *c == 's' && is_live(L, argument)) return refuse_live(L);
    if (c < end && *c == 's' && has_address(L, argument)) {
      lua_pushstring(L, luaL_typename(L, argument));
      lua_replace(L, argument);
    }
  }
  // Called in this frame, so that messages name the line of the caller.
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

int stable_sort(lua_State* L) {
  const auto count = static_cast<std::size_t>(lua_rawlen(L, 1));
  if (count < 2) return 0;
  if (count > std::numeric_limits<std::uint32_t>::max() / 2)
    return luaL_error(L, "the list is too long");
  // Lua owns this memory: a std::vector would leak if the comparison raised an error, because that
  // skips destructors.
  auto* from =
      static_cast<std::uint32_t*>(lua_newuserdatauv(L, 2 * count * sizeof(std::uint32_t), 0));
  auto* to = from + count;
  for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<std::uint32_t>(i + 1);
  for (std::size_t run = 1; run < count; run *= 2, std::swap(from, to))
    for (std::size_t begin = 0; begin < count; begin += 2 * run)
      merge(L, from, to, begin, std::min(begin + run, count), std::min(begin + 2 * run, count));
  lua_createtable(L, static_cast<int>(count), 0);
  for (std::size_t i = 0; i < count; ++i) {
    lua_rawgeti(L, 1, from[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  for (std::size_t i = 0; i < count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i + 1));
    lua_rawseti(L, 1, static_cast<lua_Integer>(i + 1));
  }
  return 0;
}

}  // namespace mote::sim
