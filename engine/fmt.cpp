// fmt, compiled into mote: libmote.so does not need the shared library at run time, and cannot
// clash with the fmt of the program that loads it.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Instantiations that the header declares but leaves to the library.
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
