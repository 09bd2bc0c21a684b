//===- TileRegisters.cpp - loops over panels, rows and k ------------------------------------------------===//
#include "backends/cpu/dot/TileRegisters.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Registers: four of sums, two of each factor.
constexpr int64_t firstLeft = 4, firstRight = 6, registers = 8;

class TileLoops {
public:
  TileLoops(KernelState &state, const Product &product)
      : state(state), product(product), steps(product.form.tiles), m(product.sums.shape[0]),
        n(product.sums.shape[1]), down(product.tile.rows / tileRows), across(product.tile.vectors),
        factorBytes(memoryBytes(product.left.element)), columns(product.tile.columns()) {
    int64_t k = product.left.shape.back();
    leftPitch = product.left.pitch ? product.left.pitch : k;
    depth = product.right.pitch ? product.right.pitch : k;
    panel = product.tile.panel ? product.tile.panel : n;
  }

  void run() {
    Code c = state.code();
    llvm::raw_string_ostream(state.plan) << "product [" << m << ", " << product.left.shape.back() << "] by ["
                                         << product.left.shape.back() << ", " << n << "]: tile registers, "
                                         << down << " by " << across << ", " << steps << " steps in each\n";
    configure();
    Value rowsEnd = product.wanted.rows ? product.wanted.rows : c.i64(m);
    Value columnsEnd = product.wanted.columns ? product.wanted.columns : c.i64(n);
    loop(c.i64(0), columnsEnd, columns, [&](Value column) {
      loop(state.code().i64(0), rowsEnd, down * tileRows, [&](Value row) { tilesAt(row, column); });
    });
    call("llvm.x86.tilerelease", {});
  }

private:
  void call(llvm::StringRef name, ValueRange operands) {
    Code c = state.code();
    c.b.create<LLVM::CallIntrinsicOp>(c.loc, TypeRange(), c.b.getStringAttr(name), operands);
  }

  Value number(int64_t tile) { return state.code().integer(state.code().i8(), tile); }

  void loop(Value from, Value to, int64_t step, llvm::function_ref<void(Value)> body) {
    Code c = state.code();
    auto made = c.b.create<scf::ForOp>(c.loc, from, to, c.i64(step));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    body(made.getInductionVar());
  }

  /// Shapes of the registers, as ldtilecfg reads them.
  void configure() {
    alignas(8) uint8_t shapes[tileRowBytes] = {1};
    auto shape = [&](int64_t tile, int64_t rows, int64_t bytes) {
      shapes[16 + 2 * tile] = static_cast<uint8_t>(bytes);
      shapes[48 + tile] = static_cast<uint8_t>(rows);
    };
    for (int64_t tile = 0; tile < registers; ++tile)
      shape(tile, tileRows, tileRowBytes);
    for (int64_t i = 0; i < 2; ++i) {
      shape(firstLeft + i, tileRows, steps * factorBytes);
      shape(firstRight + i, steps / product.form.together, tileRowBytes);
    }
    Code c = state.code();
    Value place = c.pointer(state.beginOf(state.makeBuffer(c.i64(), {tileRowBytes / 8})));
    auto type = cast<VectorType>(vectorOf(c.i8(), tileRowBytes));
    auto words =
        DenseElementsAttr::getFromRawBuffer(type, ArrayRef(reinterpret_cast<char *>(shapes), tileRowBytes));
    Value all = c.b.create<arith::ConstantOp>(c.loc, words);
    c.b.create<LLVM::StoreOp>(c.loc, all, place, tileRowBytes);
    call("llvm.x86.ldtilecfg", place);
  }

  Value bytesAt(const Buffer &buffer, Value elements) {
    Code c = state.code();
    return c.add(state.beginOf(buffer), c.mul(elements, c.i64(memoryBytes(buffer.element))));
  }

  Value further(Value address, int64_t bytes) {
    Code c = state.code();
    return c.pointer(bytes ? c.add(address, c.i64(bytes)) : address);
  }

  void tilesAt(Value row, Value column) {
    Code c = state.code();
    Value sums = bytesAt(product.sums, c.add(c.mul(row, c.i64(n)), column));
    Value pitch = c.i64(n * 4);
    auto each = [&](llvm::function_ref<void(Value, Value)> body) {
      for (int64_t i = 0; i < down; ++i)
        for (int64_t j = 0; j < across; ++j)
          body(number(2 * i + j), further(sums, i * tileRows * n * 4 + j * tileRowBytes));
    };
    each([&](Value tile, Value place) {
      if (product.startsAtZero)
        call("llvm.x86.tilezero", tile);
      else
        call("llvm.x86.tileloadd64", {tile, place, pitch});
    });
    Value left = bytesAt(product.left, c.mul(row, c.i64(leftPitch)));
    Value right = rightAt(column);
    loop(product.from ? product.from : c.i64(0), product.to ? product.to : c.i64(product.left.shape.back()),
         steps, [&](Value step) { multiply(left, right, step); });
    each([&](Value tile, Value place) { call("llvm.x86.tilestored64", {tile, place, pitch}); });
  }

  // A row of the right factor holds some steps of each column of a panel.
  Value rightAt(Value column) {
    Code c = state.code();
    int64_t together = product.form.together;
    if (product.tile.panel == 0)
      return bytesAt(product.right, c.mul(column, c.i64(together)));
    return bytesAt(product.right, c.mul(column, c.i64(depth)));
  }

  void multiply(Value left, Value right, Value step) {
    Code c = state.code();
    left = c.add(left, c.mul(step, c.i64(factorBytes)));
    right = c.add(right, c.mul(step, c.i64(panel * factorBytes)));
    for (int64_t i = 0; i < down; ++i)
      call("llvm.x86.tileloadd64",
           {number(firstLeft + i), further(left, i * tileRows * leftPitch * factorBytes),
            c.i64(leftPitch * factorBytes)});
    for (int64_t j = 0; j < across; ++j)
      call("llvm.x86.tileloadd64",
           {number(firstRight + j), further(right, j * tileRowBytes), c.i64(panel * 4)});
    llvm::StringRef name = isa<FloatType>(product.left.element) ? "llvm.x86.tdpbf16ps" : "llvm.x86.tdpbssd";
    for (int64_t i = 0; i < down; ++i)
      for (int64_t j = 0; j < across; ++j)
        call(name, {number(2 * i + j), number(firstLeft + i), number(firstRight + j)});
  }

  KernelState &state;
  const Product &product;
  int64_t steps, m, n, down, across, factorBytes, columns;
  int64_t leftPitch = 0, depth = 0, panel = 0; ///< elements of a left row; rows and columns of a panel
};
} // namespace

void emitTileProduct(KernelState &state, const Product &product) { TileLoops(state, product).run(); }

} // namespace trisect::cpu
