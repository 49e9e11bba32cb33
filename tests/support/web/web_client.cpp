#include "tests/support/web/web_client.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>

namespace mote::test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Stream = beast::basic_stream<Protocol>;

Protocol::endpoint endpoint_of(const WebPlace& place) {
  if (!place.socket.empty()) return asio::local::stream_protocol::endpoint(place.socket.string());
  return asio::ip::tcp::endpoint(asio::ip::make_address("127.0.0.1"),
                                 static_cast<unsigned short>(place.port));
}

template <class Fields>
void put_headers(Fields& fields, const WebPlace& place) {
  for (const auto& [name, value] : place.headers) fields.set(name, value);
}

/// Returns the same text with the headers of a request for a WebSocket.
WebPlace as_upgrade(WebPlace place) {
  place.headers.insert({"Origin", "http://" + place.host()});
  place.headers["Connection"] = "Upgrade";
  place.headers["Upgrade"] = "websocket";
  place.headers["Sec-WebSocket-Version"] = "13";
  place.headers["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ==";
  return place;
}

template <class Over>
WebAnswer exchange(Over& stream, const WebPlace& place, const std::string& target,
                   const std::string& method, const std::string& body) {
  http::request<http::string_body> request(http::string_to_verb(method), target, 11, body);
  if (!body.empty()) request.prepare_payload();
  request.set(http::field::host, place.host());
  put_headers(request, place);
  http::response<http::string_body> response;
  beast::flat_buffer buffer;
  error_code error;
  http::write(stream, request, error);
  http::read(stream, buffer, response, error);
  WebAnswer answer;
  if (error) return answer;
  answer.status = static_cast<int>(response.result_int());
  answer.text = response.body();
  for (const auto& field : response)
    answer.headers[std::string(field.name_string())] = std::string(field.value());
  return answer;
}

}  // namespace

WebAnswer fetch(const WebPlace& place, const std::string& target, const std::string& method,
                const std::string& body) {
  asio::io_context context;
  error_code error;
  if (!place.tls) {
    Stream stream(context);
    stream.socket().connect(endpoint_of(place), error);
    return error ? WebAnswer() : exchange(stream, place, target, method, body);
  }
  asio::ssl::context trust(asio::ssl::context::tls_client);
  beast::ssl_stream<Stream> stream(context, trust);
  stream.next_layer().socket().connect(endpoint_of(place), error);
  if (!error) stream.handshake(asio::ssl::stream_base::client, error);
  return error ? WebAnswer() : exchange(stream, place, target, method, body);
}

struct WebClient::Parts {
  asio::io_context context;
  websocket::stream<Stream> socket{context};
  beast::flat_buffer buffer;
  std::optional<error_code> read;  ///< the result of the read that was started; none: it goes on
  bool reading = false, closed = false;
  int refusal = 0;

  /// Runs until a condition holds or the time is over.
  template <class Condition>
  void run_until(Condition condition, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition() && std::chrono::steady_clock::now() < end) {
      context.restart();
      context.run_one_until(end);
    }
  }
};

WebClient::WebClient(const WebPlace& place, const std::string& target)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  error_code error;
  beast::get_lowest_layer(p.socket).socket().connect(endpoint_of(place), error);
  p.socket.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    request.set(http::field::origin, "http://" + place.host());
    put_headers(request, place);
  }));
  if (!error) p.socket.handshake(place.host(), target, error);
  p.closed = static_cast<bool>(error);
  if (!p.closed) return;
  drop();  // leaves room for the request that says why
  p.refusal = fetch(as_upgrade(place), target).status;
}

WebClient::~WebClient() {
  drop();
  // The operation that was started ends.
  parts_->run_until([&] { return !parts_->reading; }, std::chrono::seconds(1));
}

int WebClient::refusal() const {
  return parts_->refusal;
}

bool WebClient::send(const std::string& text) {
  error_code error;
  parts_->socket.write(asio::buffer(text), error);
  return !error;
}

std::optional<WebClient::Received> WebClient::receive(std::chrono::milliseconds limit) {
  Parts& p = *parts_;
  if (p.closed) return std::nullopt;
  if (!p.reading) {
    p.read.reset();
    p.reading = true;
    p.socket.async_read(p.buffer, [&p](error_code error, std::size_t) {
      p.read = error;
      p.reading = false;
    });
  }
  p.run_until([&] { return !p.reading; }, limit);
  if (p.reading) return std::nullopt;
  if (*p.read) {
    p.closed = true;
    return std::nullopt;
  }
  Received received{!p.socket.got_text(), beast::buffers_to_string(p.buffer.data())};
  p.buffer.clear();
  return received;
}

bool WebClient::closed() const {
  return parts_->closed;
}

std::string WebClient::reason() const {
  return std::string(parts_->socket.reason().reason.c_str());
}

int WebClient::close_code() const {
  return parts_->socket.reason().code;
}

void WebClient::drop() {
  error_code ignored;
  beast::get_lowest_layer(parts_->socket).socket().close(ignored);
  parts_->closed = true;
}

}  // namespace mote::test
