//===- NumpyText.cpp - column widths, digits, lines -----------------------------------------------------===//
#include "interp/observe/NumpyText.h"
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <functional>

namespace trisect::interp {

namespace {

constexpr int64_t threshold = 1000; ///< more elements are shortened
constexpr int64_t edge = 3;         ///< elements kept at each end of a shortened dimension
constexpr int64_t briefThreshold = 8;
constexpr size_t lineWidth = 75;
constexpr int mostDigits = 8; ///< after the point

/// A finite number as sign, digits d.ddd without trailing zeros, and a power of ten.
struct Decimal {
  bool negative = false;
  std::string digits; ///< at least one
  int exponent = 0;
};

Decimal parseScientific(const std::string &text) {
  Decimal made;
  size_t at = text[0] == '-';
  made.negative = at;
  size_t e = text.find('e');
  for (; at < e; ++at)
    if (text[at] != '.')
      made.digits += text[at];
  while (made.digits.size() > 1 && made.digits.back() == '0')
    made.digits.pop_back();
  made.exponent = std::atoi(text.c_str() + e + 1);
  return made;
}

std::string printed(const char *format, int precision, double number) {
  char text[400];
  std::snprintf(text, sizeof(text), format, precision, number);
  return text;
}

/// The shortest decimal that gives the bits back.
Decimal shortest(uint64_t bits, DType type) {
  double number = toDouble(bits, type);
  char text[64];
  if (type == DType::F64 || type == DType::F32) {
    auto end = type == DType::F64
                   ? std::to_chars(text, text + sizeof(text), number, std::chars_format::scientific)
                   : std::to_chars(text, text + sizeof(text), static_cast<float>(number),
                                   std::chars_format::scientific);
    return parseScientific(std::string(text, end.ptr));
  }
  for (int precision = 0; precision < 9; ++precision) {
    std::string tried = printed("%.*e", precision, number);
    if (toDouble(fromDouble(std::strtod(tried.c_str(), nullptr), type), type) == number)
      return parseScientific(tried);
  }
  return parseScientific(printed("%.*e", 9, number));
}

std::string positional(const Decimal &number, std::string &fraction) {
  std::string whole;
  fraction.clear();
  for (int place = number.exponent; place >= 0; --place) {
    size_t at = static_cast<size_t>(number.exponent - place);
    whole += at < number.digits.size() ? number.digits[at] : '0';
  }
  if (number.exponent < 0) {
    whole = "0";
    if (number.digits != "0")
      fraction = std::string(static_cast<size_t>(-number.exponent - 1), '0') + number.digits;
  } else if (number.digits.size() > static_cast<size_t>(number.exponent) + 1) {
    fraction = number.digits.substr(static_cast<size_t>(number.exponent) + 1);
  }
  return (number.negative ? "-" : "") + whole;
}

/// The parts before and after the point.
struct Parts {
  std::string whole, fraction;
  int exponent = 0; ///< of the scientific form
};

Parts fixedParts(uint64_t bits, DType type) {
  Parts parts;
  parts.whole = positional(shortest(bits, type), parts.fraction);
  if (parts.fraction.size() <= mostDigits)
    return parts;
  std::string cut = printed("%.*f", mostDigits, toDouble(bits, type));
  size_t point = cut.find('.');
  parts.whole = cut.substr(0, point);
  parts.fraction = cut.substr(point + 1);
  while (!parts.fraction.empty() && parts.fraction.back() == '0')
    parts.fraction.pop_back();
  return parts;
}

Parts scientificParts(uint64_t bits, DType type) {
  Decimal number = shortest(bits, type);
  if (number.digits.size() > mostDigits + 1)
    number = parseScientific(printed("%.*e", mostDigits, toDouble(bits, type)));
  return {(number.negative ? "-" : "") + number.digits.substr(0, 1), number.digits.substr(1),
          number.exponent};
}

std::string exponentText(int exponent, size_t digits) {
  std::string number = std::to_string(std::abs(exponent));
  return std::string(exponent < 0 ? "e-" : "e+") +
         std::string(digits > number.size() ? digits - number.size() : 0, '0') + number;
}

using Show = std::function<std::string(uint64_t bits)>;

std::string padded(const std::string &text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string specialText(double number) { return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf"; }

/// How floats of these magnitudes are shown; widths are NumPy's, so that columns line up.
Show floatColumns(const std::vector<uint64_t> &shown, DType type) {
  std::vector<uint64_t> finite;
  double most = 0, least = 0;
  size_t special = 0;
  for (uint64_t bits : shown) {
    double number = toDouble(bits, type);
    if (!std::isfinite(number)) {
      special = std::max(special, specialText(number).size());
      continue;
    }
    finite.push_back(bits);
    double size = std::fabs(number);
    most = std::max(most, size);
    least = size > 0 && (least == 0 || size < least) ? size : least;
  }
  auto inType = [&](double limit) { return toDouble(fromDouble(limit, type), type); };
  bool powers = most > 0 && (most >= 1e8 || least < inType(1e-4) || most / least > 1000.0);
  size_t left = 0, right = 0, exponentDigits = 2;
  for (uint64_t bits : finite) {
    Parts parts = powers ? scientificParts(bits, type) : fixedParts(bits, type);
    left = std::max(left, parts.whole.size());
    right = std::max(right, parts.fraction.size());
    exponentDigits = std::max(exponentDigits, std::to_string(std::abs(parts.exponent)).size());
  }
  size_t tail = powers ? right + 2 + exponentDigits : right;
  if (special > left + tail + 1)
    left = special - tail - 1;
  return [=](uint64_t bits) {
    double number = toDouble(bits, type);
    if (!std::isfinite(number))
      return padded(specialText(number), left + tail + 1);
    if (powers) { // all digits of the column, those beyond the shortest from the exact value
      std::string text = printed("%.*e", static_cast<int>(right), number);
      size_t e = text.find('e');
      std::string digits = right ? text.substr(0, e) : text.substr(0, e) + ".";
      return padded(digits, left + 1 + right) + exponentText(std::atoi(text.c_str() + e + 1), exponentDigits);
    }
    Parts parts = fixedParts(bits, type);
    std::string rest(right - std::min(right, parts.fraction.size()), ' ');
    return padded(parts.whole, left) + "." + parts.fraction + rest;
  };
}

std::string wholeText(uint64_t bits, const ElementStyle &style) {
  if (style.type == DType::I1)
    return bits & 1 ? "True" : "False";
  return formatElement(bits, style.type, style.hex, style.isSigned);
}

std::string scalarText(uint64_t bits, const ElementStyle &style) {
  if (style.hex || !isFloat(style.type))
    return wholeText(bits, style);
  double number = toDouble(bits, style.type);
  if (!std::isfinite(number))
    return specialText(number);
  Decimal digits = shortest(bits, style.type);
  double size = std::fabs(number);
  if (size != 0 && (size >= 1e16 || size < 1e-4))
    return (digits.negative ? "-" : "") + digits.digits.substr(0, 1) +
           (digits.digits.size() > 1 ? "." + digits.digits.substr(1) : "") + exponentText(digits.exponent, 2);
  std::string fraction, whole = positional(digits, fraction);
  return whole + "." + (fraction.empty() ? "0" : fraction);
}

/// Lays the elements of an array out in brackets.
class Layout {
public:
  Layout(const void *data, const std::vector<int64_t> &dims, const ElementStyle &style)
      : data(static_cast<const char *>(data)), dims(dims), style(style), size(byteSize(style.type)) {
    int64_t count = 1;
    for (int64_t extent : dims)
      count *= extent;
    shortened = count > (style.brief ? briefThreshold : threshold);
    kept = style.brief && dims.size() > 1 ? 1 : edge;
    collect(0, 0);
    if (isFloat(style.type) && !style.hex) {
      show = floatColumns(shown, style.type);
      return;
    }
    size_t width = 0;
    for (uint64_t bits : shown)
      width = std::max(width, wholeText(bits, style).size());
    if (style.type == DType::I1)
      width = 5;
    show = [this, width](uint64_t bits) { return padded(wholeText(bits, this->style), width); };
  }

  std::string text() const { return block(0, 0, " ", style.brief ? std::string::npos : lineWidth); }

private:
  uint64_t element(int64_t at) const {
    uint64_t bits = 0;
    std::memcpy(&bits, data + at * size, size);
    return bits;
  }

  /// Calls visit(index) for what is shown of a dimension, and visit(-1) where some is left out.
  template <typename Visit> void along(size_t axis, Visit visit) const {
    int64_t extent = dims[axis];
    bool cut = shortened && extent > 2 * kept;
    for (int64_t n = 0; n < (cut ? kept : extent); ++n)
      visit(n);
    if (!cut)
      return;
    visit(int64_t(-1));
    for (int64_t n = extent - kept; n < extent; ++n)
      visit(n);
  }

  void collect(size_t axis, int64_t at) {
    if (axis == dims.size()) {
      shown.push_back(element(at));
      return;
    }
    along(axis, [&](int64_t n) {
      if (n >= 0)
        collect(axis + 1, at * dims[axis] + n);
    });
  }

  std::string block(size_t axis, int64_t at, const std::string &indent, size_t width) const {
    std::string text;
    if (axis + 1 == dims.size()) {
      text = row(at, indent, width);
    } else {
      std::string between(dims.size() - axis - 1, '\n');
      along(axis, [&](int64_t n) {
        if (!text.empty() && !style.brief)
          text += between;
        text += (style.brief && !text.empty() ? " " : indent) +
                (n < 0 ? "..." : block(axis + 1, at * dims[axis] + n, indent + " ", width - 1));
      });
    }
    return "[" + text.substr(indent.size()) + "]";
  }

  std::string row(int64_t at, const std::string &indent, size_t width) const {
    std::string done, line = indent;
    bool first = true;
    along(dims.size() - 1, [&](int64_t n) {
      std::string word = n < 0 ? "..." : show(element(at * dims.back() + n));
      if (!first)
        line += ' ';
      first = false;
      if (line.size() + word.size() > width - 1 && line.size() > indent.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        done += line + "\n";
        line = indent;
      }
      line += word;
    });
    return done + line;
  }

  const char *data;
  const std::vector<int64_t> &dims;
  ElementStyle style;
  unsigned size;
  bool shortened = false;
  int64_t kept = edge;
  std::vector<uint64_t> shown;
  Show show;
};

} // namespace

std::string numpyText(const void *data, const std::vector<int64_t> &dims, const ElementStyle &given) {
  ElementStyle style = given;
  style.hex |= style.type == DType::Ptr;
  if (!dims.empty())
    return Layout(data, dims, style).text();
  uint64_t bits = 0;
  std::memcpy(&bits, data, byteSize(style.type));
  return scalarText(bits, style);
}

} // namespace trisect::interp
