//===- ConstantsTest.cpp - functions of constants -------------------------------------------------------===//
//
// What: every float operation and libdevice function over constants at the edges of its formats. Each kernel
// also computes the same from memory, where no compiler knows the operands: a constant must give the very
// bits, in each compiled tier, and a value that tier 0 agrees with. Why: a fold with rules or a library of
// its own makes a kernel's result hang on what the compiler happens to know. Limits: a NaN is any NaN.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "backends/cpu/runtime/Function.h"
#include "backends/target/Target.h"
#include "core/support/OpTable.h"
#include "interp/kernels/RegistryMaps.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/unit/Sanitizers.h"
#include <functional>
#include <gtest/gtest.h>

namespace {

using namespace trisect;

struct Format {
  const char *name, *word;
  DType type;
  /// Zeros, ones, infinities, NaN, the ends of the subnormal and the normal numbers, and plain numbers.
  std::vector<const char *> points;
};

const Format formats[] = {
    {"f32",
     "i32",
     DType::F32,
     {"0x00000000", "0x80000000", "0x3F800000", "0xBF800000", "0x7F800000", "0xFF800000", "0x7FC00000",
      "0x00000001", "0x007FFFFF", "0x7F7FFFFF", "0x3DCCCCCD", "0xC0490FDB", "0x3F000000", "0x42B17218",
      "0x40200000", "0xC0600000"}},
    {"f64",
     "i64",
     DType::F64,
     {"0x0000000000000000", "0x8000000000000000", "0x3FF0000000000000", "0xBFF0000000000000",
      "0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000", "0x0000000000000001",
      "0x000FFFFFFFFFFFFF", "0x7FEFFFFFFFFFFFFF", "0x3FB999999999999A", "0xC00921FB54442D18",
      "0x3FE0000000000000", "0x40862E42FEFA39EF", "0x4004000000000000", "0xC00C000000000000"}},
    {"f16",
     "i16",
     DType::F16,
     {"0x0000", "0x8000", "0x3C00", "0xBC00", "0x7C00", "0xFC00", "0x7E00", "0x0001", "0x03FF", "0x7BFF",
      "0x2E66", "0xC248", "0x3800", "0x498C", "0x4100", "0xC300"}},
    {"bf16",
     "i16",
     DType::BF16,
     {"0x0000", "0x8000", "0x3F80", "0xBF80", "0x7F80", "0xFF80", "0x7FC0", "0x0001", "0x007F", "0x7F7F",
      "0x3DCD", "0xC049", "0x3F00", "0x42B1", "0x4020", "0xC060"}},
};

using Names = std::vector<std::string>;
/// The text of an operation: of operands, their type and that of the result.
using Write = std::function<std::string(const Names &, const std::string &, const std::string &)>;

struct Operation {
  std::string name;
  Format format;
  std::string result;
  unsigned operands;
  Write write;
};

std::string joined(const Names &names) {
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// One kernel over all combinations of the points: as blocks, and some of them as scalars.
class Kernel {
public:
  explicit Kernel(const Operation &op) : op(op), points(op.operands == 1 ? 16 : op.operands == 2 ? 8 : 4) {
    for (unsigned n = 0; n < op.operands; ++n)
      count *= points;
    word = "i" + std::to_string(bitWidth(op.result));
  }

  /// Writes results as bits, or whether constants gave what memory gave.
  fuzz::Case make(bool values) {
    fuzz::Case made;
    for (unsigned n = 0; n < op.operands; ++n) {
      std::string list;
      for (size_t i = 0; i < count; ++i)
        list +=
            (i ? ", " : "") +
            std::to_string(static_cast<int64_t>(std::stoull(point(n, i), nullptr, 16) << shift()) >> shift());
      made.arguments.push_back(std::string(op.format.word) + "[" + std::to_string(count) + "]:[" + list +
                               "]");
      made.module += "%in" + std::to_string(n) + ": !tt.ptr<" + op.format.word + ">, ";
    }
    std::string kept = values ? word : "i8";
    made.arguments.push_back(kept + "[" + std::to_string(2 * count) + "]");
    made.module = "tt.func public @k(" + made.module + "%out: !tt.ptr<" + kept + ">) {\n";
    std::string block = std::to_string(count) + "x";
    made.module += "  %i = tt.make_range {end = " + std::to_string(count) +
                   " : i32, start = 0 : i32} : " + in(block, "i32") + "\n";
    emit(made.module, block, "%i", 0, values, kept);
    for (size_t i = 1; i < count; i += count / 4 + 1) {
      made.module += "  %at" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i32\n";
      emit(made.module, "", "%at" + std::to_string(i), i, values, kept);
    }
    made.module += "  tt.return\n}\n";
    return made;
  }

private:
  static unsigned bitWidth(const std::string &type) {
    return static_cast<unsigned>(std::stoul(type.substr(type.find_first_of("123456789"))));
  }
  unsigned shift() const { return 64 - bitWidth(op.format.name); }
  const char *point(unsigned column, size_t i) const {
    for (; column > 0; --column)
      i /= points;
    static constexpr size_t ofPairs[] = {0, 1, 2, 4, 6, 7, 9, 15}, ofTriples[] = {1, 2, 6, 10};
    i %= points;
    return op.format.points[points == 16 ? i : points == 8 ? ofPairs[i] : ofTriples[i]];
  }
  static std::string in(const std::string &block, const std::string &element) {
    return block.empty() ? element : "tensor<" + block + element + ">";
  }
  static std::string at(const std::string &block, const std::string &element) {
    return in(block, "!tt.ptr<" + element + ">");
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string add(std::string &text, const std::string &code) {
    std::string name = fresh();
    text += "  " + name + " = " + code + "\n";
    return name;
  }
  std::string address(std::string &text, const std::string &block, const std::string &base,
                      const std::string &element, const std::string &where) {
    std::string all =
        block.empty()
            ? base
            : add(text, "tt.splat " + base + " : !tt.ptr<" + element + "> -> " + at(block, element));
    return add(text,
               "tt.addptr " + all + ", " + where + " : " + at(block, element) + ", " + in(block, "i32"));
  }
  std::string result(std::string &text, const std::string &block, const Names &operands) {
    return add(text, op.write(operands, in(block, op.format.name), in(block, op.result)));
  }
  std::string asWord(std::string &text, const std::string &block, const std::string &value) {
    if (op.result == word)
      return value;
    return add(text, "tt.bitcast " + value + " : " + in(block, op.result) + " -> " + in(block, word));
  }

  void emit(std::string &text, const std::string &block, const std::string &where, size_t first, bool values,
            const std::string &kept) {
    Names constants, loaded;
    std::string type = in(block, op.format.name), wordType = in(block, op.format.word);
    for (unsigned n = 0; n < op.operands; ++n) {
      std::string list = point(n, first);
      if (!block.empty()) {
        for (size_t i = 1; i < count; ++i)
          list += std::string(", ") + point(n, i);
        list = "dense<[" + list + "]>";
      }
      constants.push_back(add(text, "arith.constant " + list + " : " + type));
      std::string from = address(text, block, "%in" + std::to_string(n), op.format.word, where);
      std::string bits = add(text, "tt.load " + from + " : " + at(block, op.format.word));
      loaded.push_back(add(text, "tt.bitcast " + bits + " : " + wordType + " -> " + type));
    }
    std::string a = result(text, block, constants), shown = asWord(text, block, a);
    if (!values) {
      std::string b = result(text, block, loaded), bits = asWord(text, block, b), words = in(block, word);
      std::string same = add(text, "arith.cmpi eq, " + shown + ", " + bits + " : " + words);
      if (op.result != word) {
        std::string none = add(text, "arith.cmpf uno, " + a + ", " + a + " : " + in(block, op.result));
        std::string other = add(text, "arith.cmpf uno, " + b + ", " + b + " : " + in(block, op.result));
        std::string both = add(text, "arith.andi " + none + ", " + other + " : " + in(block, "i1"));
        same = add(text, "arith.ori " + same + ", " + both + " : " + in(block, "i1"));
      }
      shown = add(text, "arith.extui " + same + " : " + in(block, "i1") + " to " + in(block, "i8"));
    } else if (op.result != word) {
      // No bit of a NaN says anything.
      std::string none = add(text, "arith.cmpf uno, " + a + ", " + a + " : " + in(block, op.result));
      std::string zero = add(text, "arith.constant " + (block.empty() ? std::string("0") : "dense<0>") +
                                       " : " + in(block, word));
      shown = add(text, "arith.select " + none + ", " + zero + ", " + shown + " : " + in(block, "i1") + ", " +
                            in(block, word));
    }
    std::string place = where;
    if (block.empty())
      place = add(text, "arith.constant " + std::to_string(count + first) + " : i32");
    text += "  tt.store " + address(text, block, "%out", kept, place) + ", " + shown + " : " +
            at(block, kept) + "\n";
  }

  const Operation &op;
  size_t points, count = 1, next = 0;
  std::string word;
};

const Format &format(const std::string &name) {
  for (const Format &found : formats)
    if (found.name == name)
      return found;
  return formats[0];
}

/// Every elementwise operation of floats.
std::vector<Operation> operations() {
  struct Row {
    OpId id;
    const char *name;
    unsigned operands;
  };
  [[maybe_unused]] constexpr unsigned Any = 0;
  constexpr Row rows[] = {
#define TRISECT_OP(id, mnemonic, cls, tolerance, operands, ...) {OpId::id, mnemonic, operands},
#include "core/ops.def"
  };
  std::vector<Operation> made;
  for (const Row &row : rows)
    for (const Format &format : formats) {
      std::string name = row.name;
      if (!interp::elementwiseKernel({row.id, format.type, format.type}, interp::Numerics::Ieee) ||
          name == "arith.select" || name == "tt.bitcast" || name == "arith.bitcast" || name == "tt.fp_to_fp")
        continue;
      if (name == "tt.approx_divf" && format.type != DType::F32)
        continue;
      for (const char *mode : {"none", "all"}) {
        std::string tail = name == "tt.clampf" ? std::string(", propagateNan = ") + mode : "";
        made.push_back({name + tail, format, format.name, row.operands,
                        [=](const Names &operands, const std::string &type, const std::string &) {
                          return name + " " + joined(operands) + tail + " : " + type;
                        }});
        if (tail.empty())
          break;
      }
    }
  return made;
}

/// Conversions between floats, and to integers.
std::vector<Operation> conversions() {
  std::vector<Operation> made;
  auto add = [&](const std::string &name, const Format &from, const std::string &to,
                 const std::string &rounding, const char *arrow) {
    made.push_back({name + rounding + " " + from.name + " to " + to, from, to, 1,
                    [=](const Names &operands, const std::string &type, const std::string &result) {
                      return name + " " + operands[0] + rounding + " : " + type + arrow + result;
                    }});
  };
  for (const Format &from : formats) {
    for (const Format &to : formats) {
      unsigned long a = std::stoul(from.word + 1), b = std::stoul(to.word + 1);
      if (a < b)
        add("arith.extf", from, to.name, "", " to ");
      if (a > b) {
        add("arith.truncf", from, to.name, "", " to ");
        for (const char *rounding : {", rounding = rtne", ", rounding = rtz"})
          add("tt.fp_to_fp", from, to.name, rounding, " -> ");
      }
    }
    for (const char *to : {"i8", "i16", "i32", "i64"})
      for (const char *name : {"arith.fptosi", "arith.fptoui"})
        add(name, from, to, "", " to ");
  }
  return made;
}

/// How many operands a libdevice function takes, and of which op it is another name.
unsigned operandsOf(const std::string &symbol, interp::ElementwiseFn kernel) {
  constexpr unsigned Any = 0;
  constexpr unsigned arities[] = {
#define TRISECT_OP(id, mnemonic, cls, tolerance, operands, ...) operands,
#include "core/ops.def"
  };
  if (auto number = cpu::findRuntimeFunction(symbol))
    return cpu::runtimeFunctions()[*number].operands;
  for (const auto &[key, other] : interp::registryOf(interp::activeIsa()).maps().elementwise)
    if (other == kernel)
      return arities[static_cast<size_t>(std::get<0>(key))];
  return 0;
}

/// Every libdevice function whose operands are floats.
std::vector<Operation> functions() {
  std::vector<Operation> made;
  for (const auto &[key, kernel] : interp::registryOf(interp::activeIsa()).maps().externs) {
    const auto &[symbol, from, to] = key;
    bool mixed = false; // an operand of another type than the first
    for (const char *name : {"ldexp", "scalbn", "powi", "__nv_jn", "__nv_yn"})
      mixed |= symbol.find(name) != std::string::npos;
    if (mixed || (from != DType::F32 && from != DType::F64))
      continue;
    std::string called = symbol;
    made.push_back({called, format(from == DType::F32 ? "f32" : "f64"), std::string(name(to)),
                    operandsOf(called, kernel),
                    [=](const Names &operands, const std::string &type, const std::string &result) {
                      std::string types = type;
                      for (size_t n = 1; n < operands.size(); ++n)
                        types += ", " + type;
                      return "tt.extern_elementwise " + joined(operands) +
                             " {libname = \"\", libpath = \"\", pure = true, symbol = \"" + called +
                             "\"} : (" + types + ") -> " + result;
                    }});
  }
  return made;
}

/// Holds a tier to all of them; how many it refused. Of functions with a part of `inexact` in their names
/// tier 0 has other values by right.
size_t hold(const std::vector<Operation> &all, const fuzz::Partner &partner, const Names &inexact = {}) {
  registerTargets();
  fuzz::Judge judge(*TargetRegistry::find("cpu"));
  size_t refused = 0;
  for (const Operation &op : all) {
    fuzz::Judgement same = judge.judge(Kernel(op).make(false), partner);
    refused += same.ruling == fuzz::Ruling::Refused;
    EXPECT_TRUE(same.ruling == fuzz::Ruling::Equal || same.ruling == fuzz::Ruling::Refused)
        << op.name << " of " << op.format.name << ": constants give other bits than memory: " << same.text;
    if (std::any_of(inexact.begin(), inexact.end(),
                    [&](const std::string &part) { return op.name.find(part) != std::string::npos; }))
      continue;
    fuzz::Judgement values = judge.judge(Kernel(op).make(true), partner);
    EXPECT_FALSE(fuzz::isFailure(values.ruling))
        << op.name << " of " << op.format.name << ": " << values.text;
  }
  return refused;
}

fuzz::Partner emulated() {
  fuzz::Partner partner;
  partner.emulator = true;
  partner.warps = 1;
  return partner;
}

TEST(ConstantsTest, OperationsOnTheCpu) { EXPECT_EQ(hold(operations(), {}), 0u); }
TEST(ConstantsTest, ConversionsOnTheCpu) { EXPECT_EQ(hold(conversions(), {}), 0u); }
TEST(ConstantsTest, FunctionsOnTheCpu) { EXPECT_EQ(hold(functions(), {}), 0u); }
TEST(ConstantsTest, OperationsEmulated) {
  TRISECT_NEEDS_FIBERS;
  EXPECT_EQ(hold(operations(), emulated()), 0u);
}
TEST(ConstantsTest, ConversionsEmulated) {
  TRISECT_NEEDS_FIBERS;
  EXPECT_EQ(hold(conversions(), emulated()), 0u);
}
TEST(ConstantsTest, FunctionsEmulated) {
  TRISECT_NEEDS_FIBERS;
  // NVIDIA's own: a power through logarithms, half a reciprocal, what rounding a NaN gives, and functions
  // near zeros or far out.
  EXPECT_EQ(hold(functions(), emulated(),
                 {"fast_powf", "rcp64h", "llroundf", "lgamma", "_j0", "_j1", "_y0", "_y1"}),
            0u);
}

} // namespace
