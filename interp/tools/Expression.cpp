//===- Expression.cpp - parsing and evaluating formulas -------------------------------------------------===//
#include "interp/tools/Expression.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace trisect::tools {

struct Expression::Node {
  enum class Kind { Constant, Variable, Element, Call, Unary, Binary } kind = Kind::Constant;
  Number constant;
  std::string name; ///< variable, function or operator
  size_t buffer = 0;
  std::vector<std::unique_ptr<Node>> children;
};

Number decodeNumber(uint64_t bits, DType type) {
  if (isFloat(type))
    return Number::of(interp::toDouble(bits, type));
  return Number::of(type == DType::I1 ? int64_t(bits & 1) : interp::signedBits(bits, type));
}

uint64_t encodeNumber(const Number &number, DType type) {
  if (isFloat(type))
    return interp::fromDouble(number.asDouble(), type);
  int64_t whole = number.isFloat ? static_cast<int64_t>(number.real) : number.whole;
  return type == DType::I1 ? whole != 0 : interp::unsignedBits(static_cast<uint64_t>(whole), type);
}

namespace {

using Node = Expression::Node;
using Owned = std::unique_ptr<Node>;

constexpr const char *levels[][5] = {
    {"||"},       {"&&"},     {"|"},           {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
};
constexpr int numLevels = sizeof(levels) / sizeof(levels[0]);
/// Formulas are evaluated as deep as they are nested; operators of one level nest to the left.
constexpr int mostDeep = 200, mostOperators = 2000;

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Owned whole() {
    Owned root = binary(0);
    space();
    if (at != text.size())
      bad("unexpected text");
    return root;
  }

private:
  [[noreturn]] void bad(const std::string &what) const {
    constexpr size_t shown = 200;
    throw InvalidInput("expression '" + std::string(text.substr(0, shown)) +
                       (text.size() > shown ? "..." : "") + "': " + what + " at column " +
                       std::to_string(at + 1));
  }
  /// One level of brackets or signs; each takes some of the stack, to read it and to evaluate it.
  struct Deeper {
    explicit Deeper(Parser &parser) : depth(parser.depth) {
      if (++depth > mostDeep)
        parser.bad("more than " + std::to_string(mostDeep) + " levels of brackets and signs");
    }
    ~Deeper() { --depth; }
    int &depth;
  };

  void space() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool accept(std::string_view word) {
    space();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  void need(std::string_view word) {
    if (!accept(word))
      bad("expected '" + std::string(word) + "'");
  }

  std::string_view oneOf(int level) {
    space();
    for (const char *word : levels[level]) {
      if (!word)
        break;
      std::string_view op(word);
      if (text.substr(at, op.size()) != op)
        continue;
      // `<` must not eat the start of `<<`, `|` that of `||`.
      char next = at + op.size() < text.size() ? text[at + op.size()] : ' ';
      if (op.size() == 1 && (next == op[0] && (op == "<" || op == ">" || op == "|" || op == "&")))
        continue;
      at += op.size();
      return op;
    }
    return {};
  }

  Owned binary(int level) {
    if (level == numLevels)
      return unary();
    Owned left = binary(level + 1);
    while (true) {
      std::string_view op = oneOf(level);
      if (op.empty())
        return left;
      if (++operators > mostOperators)
        bad("more than " + std::to_string(mostOperators) + " operators");
      auto node = std::make_unique<Node>();
      node->kind = Node::Kind::Binary;
      node->name = std::string(op);
      node->children.push_back(std::move(left));
      node->children.push_back(binary(level + 1));
      left = std::move(node);
    }
  }

  Owned unary() {
    for (const char *op : {"-", "!", "~"})
      if (accept(op)) {
        auto node = std::make_unique<Node>();
        node->kind = Node::Kind::Unary;
        node->name = op;
        Deeper here(*this);
        node->children.push_back(unary());
        return node;
      }
    Deeper here(*this);
    return primary();
  }

  Owned primary() {
    space();
    if (accept("(")) {
      Owned inner = binary(0);
      need(")");
      return inner;
    }
    auto node = std::make_unique<Node>();
    if (accept("%")) {
      node->kind = Node::Kind::Element;
      size_t from = at;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
        ++at;
      if (from == at)
        bad("expected a buffer's number");
      node->buffer = static_cast<size_t>(parseInteger(text.substr(from, at - from)).value_or(INT64_MAX));
      if (accept("[")) {
        do
          node->children.push_back(binary(0));
        while (accept(","));
        need("]");
      }
      return node;
    }
    if (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.'))
      return number();
    size_t from = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    if (from == at)
      bad("expected a value");
    node->name = std::string(text.substr(from, at - from));
    if (node->name == "inf" || node->name == "nan") {
      node->constant = Number::of(node->name == "inf" ? std::numeric_limits<double>::infinity()
                                                      : std::numeric_limits<double>::quiet_NaN());
      return node;
    }
    node->kind = Node::Kind::Variable;
    if (accept("(")) {
      node->kind = Node::Kind::Call;
      do
        node->children.push_back(binary(0));
      while (accept(","));
      need(")");
    }
    return node;
  }

  Owned number() {
    auto node = std::make_unique<Node>();
    std::string rest(text.substr(at));
    char *end = nullptr;
    errno = 0;
    uint64_t whole = std::strtoull(rest.c_str(), &end, 0);
    bool overflow = errno == ERANGE;
    char *realEnd = nullptr;
    double real = std::strtod(rest.c_str(), &realEnd);
    bool isHex = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
    if (!isHex && realEnd > end) {
      node->constant = Number::of(real);
      end = realEnd;
    } else if (overflow) {
      bad("expected a number that 64 bits hold");
    } else {
      node->constant = Number::of(static_cast<int64_t>(whole));
    }
    at += static_cast<size_t>(end - rest.c_str());
    return node;
  }

  std::string_view text;
  size_t at = 0;
  int depth = 0, operators = 0;
};

Number truth(bool value) { return Number::of(int64_t(value)); }

class Evaluator {
public:
  explicit Evaluator(Scope &scope) : scope(scope) {}

  Number value(const Node &node) {
    switch (node.kind) {
    case Node::Kind::Constant:
      return node.constant;
    case Node::Kind::Variable: {
      auto found = scope.variables.find(node.name);
      if (found == scope.variables.end())
        throw InvalidInput("expression: '" + node.name + "' has no value");
      return Number::of(found->second);
    }
    case Node::Kind::Element:
      return element(node);
    case Node::Kind::Unary: {
      Number a = value(*node.children[0]);
      if (node.name == "!")
        return truth(!a.truth());
      if (node.name == "~")
        return Number::of(~a.whole);
      return a.isFloat ? Number::of(-a.real) : Number::of(int64_t(0 - uint64_t(a.whole)));
    }
    case Node::Kind::Binary:
      return binary(node);
    case Node::Kind::Call:
      return call(node);
    }
    return {};
  }

private:
  int64_t index(const Node &node) {
    Number number = value(node);
    if (number.isFloat)
      throw InvalidInput("expression: an index is a whole number, not " + std::to_string(number.real));
    return number.whole;
  }

  Number element(const Node &node) {
    if (node.buffer >= scope.buffers->size())
      throw InvalidInput("expression: there is no argument %" + std::to_string(node.buffer));
    const Buffer &buffer = (*scope.buffers)[node.buffer];
    int64_t at = 0;
    if (node.children.empty()) {
      at = scope.variables["i"];
    } else if (node.children.size() == 1) {
      at = index(*node.children[0]);
    } else {
      if (node.children.size() != buffer.shape.size())
        throw InvalidInput("expression: %" + std::to_string(node.buffer) + " has " +
                           std::to_string(buffer.shape.size()) + " dimensions");
      for (size_t d = 0; d < node.children.size(); ++d)
        at = at * buffer.shape[d] + index(*node.children[d]);
    }
    if (at < 0 || at >= buffer.elements())
      throw InvalidInput("expression: %" + std::to_string(node.buffer) + "[" + std::to_string(at) +
                         "] is outside the buffer");
    return decodeNumber(buffer.bits(at), buffer.type);
  }

  Number binary(const Node &node) {
    const std::string &op = node.name;
    Number a = value(*node.children[0]);
    if (op == "||" || op == "&&") {
      if (a.truth() == (op == "||"))
        return truth(op == "||");
      return truth(value(*node.children[1]).truth());
    }
    Number b = value(*node.children[1]);
    bool real = a.isFloat || b.isFloat;
    double x = a.asDouble(), y = b.asDouble();
    uint64_t u = static_cast<uint64_t>(a.whole), v = static_cast<uint64_t>(b.whole);
    if (op == "+")
      return real ? Number::of(x + y) : Number::of(int64_t(u + v));
    if (op == "-")
      return real ? Number::of(x - y) : Number::of(int64_t(u - v));
    if (op == "*")
      return real ? Number::of(x * y) : Number::of(int64_t(u * v));
    if (op == "/" || op == "%") {
      if (real)
        return Number::of(op == "/" ? x / y : std::fmod(x, y));
      if (b.whole == 0)
        throw InvalidInput("expression: division by zero");
      if (b.whole == -1) // the quotient of the least number wraps; processors stop at it
        return Number::of(op == "/" ? int64_t(0 - u) : int64_t(0));
      return Number::of(op == "/" ? a.whole / b.whole : a.whole % b.whole);
    }
    if (op == "==")
      return truth(real ? x == y : a.whole == b.whole);
    if (op == "!=")
      return truth(real ? x != y : a.whole != b.whole);
    if (op == "<")
      return truth(real ? x < y : a.whole < b.whole);
    if (op == "<=")
      return truth(real ? x <= y : a.whole <= b.whole);
    if (op == ">")
      return truth(real ? x > y : a.whole > b.whole);
    if (op == ">=")
      return truth(real ? x >= y : a.whole >= b.whole);
    if (op == "&")
      return Number::of(a.whole & b.whole);
    if (op == "|")
      return Number::of(a.whole | b.whole);
    if (op == "^")
      return Number::of(a.whole ^ b.whole);
    if (op == "<<")
      return Number::of(int64_t(u << (v & 63)));
    return Number::of(a.whole >> (v & 63));
  }

  Number call(const Node &node) {
    const std::string &name = node.name;
    if (name == "sum" || name == "maxof" || name == "minof" || name == "count")
      return fold(node);
    if (name == "where")
      return value(*node.children.at(value(*node.children.at(0)).truth() ? 1 : 2));
    std::vector<Number> args;
    for (const Owned &child : node.children)
      args.push_back(value(*child));
    for (int n = 0; n < numDTypes; ++n)
      if (name == trisect::name(static_cast<DType>(n))) {
        auto type = static_cast<DType>(n);
        return decodeNumber(encodeNumber(args.at(0), type), type);
      }
    double x = args[0].asDouble(), y = args.size() > 1 ? args[1].asDouble() : 0;
    if (name == "unsigned")
      return Number::of(args[0].whole & ((int64_t(1) << args.at(1).whole) - 1));
    if (name == "min" || name == "max") {
      Number best = args[0];
      for (const Number &each : args)
        if (name == "min" ? each.asDouble() < best.asDouble() : each.asDouble() > best.asDouble())
          best = each;
      return best;
    }
    if (name == "abs")
      return args[0].isFloat ? Number::of(std::fabs(x)) : Number::of(std::abs(args[0].whole));
    if (name == "isnan")
      return truth(std::isnan(x));
    if (name == "popcount")
      return Number::of(int64_t(std::popcount(static_cast<uint64_t>(args[0].whole))));
    using Unary = double (*)(double);
    static const std::map<std::string, Unary> unary = {
        {"exp", std::exp},     {"exp2", std::exp2},   {"log", std::log},        {"log2", std::log2},
        {"sqrt", std::sqrt},   {"sin", std::sin},     {"cos", std::cos},        {"tan", std::tan},
        {"tanh", std::tanh},   {"erf", std::erf},     {"floor", std::floor},    {"ceil", std::ceil},
        {"trunc", std::trunc}, {"round", std::round}, {"cbrt", std::cbrt},      {"sinh", std::sinh},
        {"cosh", std::cosh},   {"asin", std::asin},   {"acos", std::acos},      {"atan", std::atan},
        {"asinh", std::asinh}, {"acosh", std::acosh}, {"atanh", std::atanh},    {"expm1", std::expm1},
        {"log1p", std::log1p}, {"log10", std::log10}, {"rint", std::nearbyint},
    };
    if (auto found = unary.find(name); found != unary.end())
      return Number::of(found->second(x));
    if (name == "rsqrt")
      return Number::of(1 / std::sqrt(x));
    if (name == "pow")
      return Number::of(std::pow(x, y));
    if (name == "atan2")
      return Number::of(std::atan2(x, y));
    if (name == "copysign")
      return Number::of(std::copysign(x, y));
    if (name == "fma")
      return Number::of(std::fma(x, y, args.at(2).asDouble()));
    throw InvalidInput("expression: unknown function '" + name + "'");
  }

  /// sum(k, from, to, body) and the like.
  Number fold(const Node &node) {
    if (node.children.size() != 4 || node.children[0]->kind != Node::Kind::Variable)
      throw InvalidInput("expression: " + node.name + " takes (variable, from, to, body)");
    const std::string &variable = node.children[0]->name;
    int64_t from = value(*node.children[1]).whole, to = value(*node.children[2]).whole;
    auto outer = scope.variables.find(variable);
    bool had = outer != scope.variables.end();
    int64_t kept = had ? outer->second : 0;
    Number total;
    for (int64_t k = from; k < to; ++k) {
      scope.variables[variable] = k;
      Number each = value(*node.children[3]);
      if (node.name == "count")
        total = Number::of(total.whole + each.truth());
      else if (node.name == "sum")
        total = each.isFloat || total.isFloat
                    ? Number::of(total.asDouble() + each.asDouble())
                    : Number::of(int64_t(uint64_t(total.whole) + uint64_t(each.whole)));
      else if (k == from || (node.name == "maxof" ? each.asDouble() > total.asDouble()
                                                  : each.asDouble() < total.asDouble()))
        total = each;
    }
    if (had)
      scope.variables[variable] = kept;
    else
      scope.variables.erase(variable);
    return total;
  }

  Scope &scope;
};

} // namespace

Expression::Expression(std::string_view text) : root(Parser(text).whole()) {}
Expression::~Expression() = default;
Number Expression::evaluate(Scope &scope) const { return Evaluator(scope).value(*root); }

} // namespace trisect::tools
