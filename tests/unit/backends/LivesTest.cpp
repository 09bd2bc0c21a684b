//===- LivesTest.cpp - how long buffers live in emitted code --------------------------------------------===//
//
// Each case is code as emission leaves it, marks and all; the lives that are read off it tell which buffers
// may share memory.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Lives.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::cpu;

namespace {
class CpuLives : public testing::Test {
protected:
  CpuLives() {
    context.loadDialect<mlir::arith::ArithDialect, mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect>();
  }

  /// Of the marks in a program with the scratch memory %s and the condition %on, in the order of the text.
  void read(const std::string &body, const std::string &functions = "") {
    std::string text = "llvm.func @program(%on: i1, %s: i64) {\n" + body + "\nllvm.return\n}\n" + functions;
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    marks.clear();
    module->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::UnrealizedConversionCastOp op) { marks.push_back(op.getResult(0)); });
    lives = livesOf(marks, module->lookupSymbol("program"));
    ASSERT_EQ(lives.size(), marks.size());
  }

  bool meet(size_t a, size_t b) const { return lives[a].meets(lives[b]); }

  static std::string mark(const std::string &name) {
    return name + " = builtin.unrealized_conversion_cast to i64 {trisect.bytes = 64 : i64}\n";
  }
  /// The pointer %NAMEp to the buffer of the mark %NAME.
  static std::string point(const std::string &name) {
    return name + "a = arith.addi %s, " + name + " : i64\n" + name + "p = llvm.inttoptr " + name +
           "a : i64 to !llvm.ptr\n";
  }
  static std::string load(const std::string &name, const std::string &from) {
    return name + " = llvm.load " + from + "p : !llvm.ptr -> i64\n";
  }
  static std::string store(const std::string &value, const std::string &to) {
    return "llvm.store " + value + ", " + to + "p : i64, !llvm.ptr\n";
  }
  static std::string loop(const std::string &body) {
    return "scf.for %i = %s to %s step %s : i64 {\n" + body + "}\n";
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<mlir::Value> marks;
  llvm::SmallVector<Life> lives;
};

TEST_F(CpuLives, EndWithTheLastReader) {
  read(mark("%x") + point("%x") + store("%s", "%x") + load("%v", "%x") + mark("%y") + point("%y") +
       store("%v", "%y"));
  EXPECT_FALSE(meet(0, 1));
}

TEST_F(CpuLives, HoldWhatIsReadLater) {
  read(mark("%x") + point("%x") + mark("%y") + point("%y") + store("%s", "%y") + load("%v", "%x"));
  EXPECT_TRUE(meet(0, 1));
}

TEST_F(CpuLives, OfWhatStandsBeforeALoopGoOnInAllOfItsRounds) {
  read(mark("%x") + point("%x") + loop(load("%v", "%x") + mark("%y") + point("%y") + store("%v", "%y")));
  EXPECT_TRUE(meet(0, 1));
}

TEST_F(CpuLives, OfWhatIsMadeInALoopEndInItsRound) {
  read(loop(mark("%x") + point("%x") + load("%v", "%x") + mark("%y") + point("%y") + store("%v", "%y")));
  EXPECT_FALSE(meet(0, 1));
}

TEST_F(CpuLives, OfTheSidesOfABranchNeverMeet) {
  read("scf.if %on {\n" + mark("%x") + point("%x") + store("%s", "%x") + "} else {\n" + mark("%y") +
       point("%y") + store("%s", "%y") + "}");
  EXPECT_FALSE(meet(0, 1));
}

TEST_F(CpuLives, FollowAnAddressThatALoopCarries) {
  read(mark("%x") + mark("%z") + "%x0 = arith.addi %s, %x : i64\n" +
       "%end = scf.for %i = %s to %s step %s iter_args(%at = %x0) -> (i64) : i64 {\n"
       "%next = arith.addi %at, %s : i64\nscf.yield %next : i64\n}\n" +
       mark("%y") + point("%y") + store("%s", "%y") +
       "%endp = llvm.inttoptr %end : i64 to !llvm.ptr\n%v = llvm.load %endp : !llvm.ptr -> i64\n");
  EXPECT_TRUE(meet(0, 2));
  EXPECT_FALSE(meet(1, 2)); // what nothing uses is over at once
}

TEST_F(CpuLives, FollowAnAddressThatLiesInABuffer) {
  // %x is read through the address that lies in %t, when %t itself is over.
  read(mark("%t") + point("%t") + mark("%x") + point("%x") + store("%xa", "%t") + load("%row", "%t") +
       mark("%y") + point("%y") + store("%s", "%y") +
       "%rowp = llvm.inttoptr %row : i64 to !llvm.ptr\n%v = llvm.load %rowp : !llvm.ptr -> i64\n");
  EXPECT_TRUE(meet(1, 2));
  EXPECT_FALSE(meet(0, 2));
}

TEST_F(CpuLives, OfWhatABufferPointsToLastAsLongAsItsReaders) {
  read(mark("%t") + point("%t") + mark("%x") + point("%x") + store("%xa", "%t") + mark("%y") + point("%y") +
           store("%s", "%y") + "llvm.call @take(%tp) : (!llvm.ptr) -> ()\n",
       "llvm.func @take(!llvm.ptr)");
  EXPECT_TRUE(meet(1, 2));
}

TEST_F(CpuLives, OfAnAddressInForeignMemoryNeverEnd) {
  read(mark("%x") + point("%x") + "%p = llvm.inttoptr %s : i64 to !llvm.ptr\n" +
       "llvm.store %xa, %p : i64, !llvm.ptr\n" + mark("%y") + point("%y") + store("%s", "%y"));
  EXPECT_TRUE(meet(0, 1));
}

TEST_F(CpuLives, OfAFunctionThatIsCalledLastAllTheTime) {
  read(mark("%x") + point("%x") + "llvm.call @region(%s) : (i64) -> ()\n" + load("%v", "%x"),
       "llvm.func @region(%s: i64) {\n" + mark("%y") + point("%y") + store("%s", "%y") + mark("%z") +
           point("%z") + store("%s", "%z") + "llvm.return\n}");
  EXPECT_TRUE(meet(0, 1));
  EXPECT_TRUE(meet(1, 2));
}

TEST_F(CpuLives, NumbersTakeThePlacesOfMarks) {
  read(mark("%x") + point("%x") + store("%s", "%x"));
  mlir::OpBuilder builder(&context);
  Code code{builder, builder.getUnknownLoc()};
  replaceMarks(code, marks, {4096});
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  EXPECT_NE(text.find("4096"), std::string::npos);
  EXPECT_EQ(text.find("unrealized"), std::string::npos);
}
} // namespace
