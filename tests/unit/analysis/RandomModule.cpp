//===- RandomModule.cpp - small programs of integer and pointer arithmetic ------------------------------===//
#include "RandomModule.h"
#include "core/ir/Dialect.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <random>

using namespace mlir;

namespace trisect::tt {

namespace {

constexpr int64_t kConstants[] = {-16, -8, -1, 0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 32, 64, 100, 255};
constexpr int64_t kLengths[] = {1, 2, 4, 8, 16, 32};
constexpr int64_t kMostElements = 1024;

class Generator {
public:
  Generator(MLIRContext &context, uint64_t seed)
      : builder(&context), location(builder.getUnknownLoc()), random(seed) {}

  OwningOpRef<ModuleOp> run() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    builder.setInsertionPointToStart(module->getBody());
    Type i32 = builder.getI32Type();
    auto hint = [&](int64_t number) {
      return builder.getDictionaryAttr(
          builder.getNamedAttr(kDivisibilityAttr, builder.getI32IntegerAttr(number)));
    };
    DictionaryAttr none = builder.getDictionaryAttr({});
    auto type = builder.getFunctionType({PtrType::get(i32), i32, i32, builder.getI1Type()}, {});
    auto func = builder.create<FuncOp>(location, "kernel", type, ArrayRef<NamedAttribute>{},
                                       ArrayRef<DictionaryAttr>{hint(16), hint(8), none, none});
    Block *entry = func.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    condition = entry->getArgument(3);
    pool.append(entry->args_begin(), entry->args_begin() + 3);
    pool.push_back(builder.create<GetProgramIdOp>(location, ProgramAxis::X));
    for (int n = 0; n < 3; ++n)
      addRange();
    for (int n = 0; n < 24; ++n)
      addAny(/*depth=*/0);
    builder.create<ReturnOp>(location);
    return module;
  }

private:
  int64_t upTo(int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random); }
  template <typename Range> auto pick(const Range &range) { return range[upTo(std::size(range) - 1)]; }

  Value pickIf(llvm::function_ref<bool(Type)> wanted) {
    SmallVector<Value> found;
    llvm::copy_if(pool, std::back_inserter(found), [&](Value value) { return wanted(value.getType()); });
    return found.empty() ? Value() : pick(found);
  }
  Value pickInteger() {
    return pickIf([](Type type) { return isIntLike(type) && !isBoolLike(type); });
  }
  Value pickTensor() {
    return pickIf([](Type type) { return isTile(type); });
  }

  Value constant(Type type, int64_t value) {
    Attribute element = builder.getIntegerAttr(elementOf(type), value);
    if (auto shaped = dyn_cast<ShapedType>(type))
      element = DenseElementsAttr::get(shaped, element);
    return builder.create<arith::ConstantOp>(location, cast<TypedAttr>(element));
  }

  /// Another value of the type, or a constant.
  Value partner(Type type) {
    if (upTo(1) == 0)
      if (Value found = pickIf([&](Type other) { return other == type; }))
        return found;
    return constant(type, pick(kConstants));
  }

  void addRange() {
    int64_t length = pick(kLengths), start = pick(std::to_array<int64_t>({0, 0, 0, 1, 4, 8, 100}));
    auto type = RankedTensorType::get({length}, builder.getI32Type());
    pool.push_back(builder.create<MakeRangeOp>(location, type, start, start + length));
  }

  void addAny(int depth) {
    switch (upTo(depth == 0 ? 14 : 11)) {
    case 0:
      return addRange();
    case 1:
      return addSplat();
    case 2:
      return addExpandDims();
    case 3:
      return addBroadcast();
    case 4:
      return addMove();
    case 5:
      return addPointer();
    case 6:
      return addConversion();
    case 7:
      return addSelect();
    case 12:
      return addLoop();
    case 13:
      return addIf();
    case 14:
      return addNarrowSum();
    default:
      return addBinary();
    }
  }

  template <typename... Ops> Value makeOneOf(Value a, Value b) {
    using Maker = Value (*)(OpBuilder &, Location, Value, Value);
    static constexpr Maker makers[] = {[](OpBuilder &builder, Location location, Value a, Value b) -> Value {
      return builder.create<Ops>(location, a, b);
    }...};
    return pick(makers)(builder, location, a, b);
  }

  void addBinary() {
    Value a = pickInteger();
    Value b = partner(a.getType());
    if (upTo(3) == 0)
      std::swap(a, b);
    pool.push_back(
        makeOneOf<arith::AddIOp, arith::AddIOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
                  arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
                  arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MinSIOp>(a, b));
  }

  void addSelect() {
    Value a = pickInteger();
    auto predicate = static_cast<arith::CmpIPredicate>(upTo(arith::getMaxEnumValForCmpIPredicate()));
    Value compared = builder.create<arith::CmpIOp>(location, predicate, a, partner(a.getType()));
    pool.push_back(compared);
    Value choice = upTo(3) == 0 ? condition : compared;
    pool.push_back(builder.create<arith::SelectOp>(location, choice, a, partner(a.getType())));
  }

  void addSplat() {
    Value scalar = pickIf([](Type type) { return !isTile(type); });
    SmallVector<int64_t> shape = {pick(kLengths)};
    if (upTo(1))
      shape.push_back(pick(kLengths));
    pool.push_back(builder.create<SplatOp>(location, RankedTensorType::get(shape, scalar.getType()), scalar));
  }

  void addExpandDims() {
    Value source = pickTensor();
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getRank() >= 3)
      return;
    int64_t axis = upTo(type.getRank());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin() + axis, 1);
    pool.push_back(builder.create<ExpandDimsOp>(location, type.clone(shape), source, axis));
  }

  void addBroadcast() {
    Value source = pickTensor();
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &length : shape)
      if (length == 1)
        length = pick(kLengths);
    auto target = type.clone(shape);
    if (target != type && target.getNumElements() <= kMostElements)
      pool.push_back(builder.create<BroadcastOp>(location, target, source));
  }

  /// trans, reshape or join.
  void addMove() {
    Value source = pickTensor();
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (upTo(3) == 0 && type.getNumElements() < kMostElements && type.getRank() < 3) {
      Value other = pickIf([&](Type candidate) { return candidate == type; });
      shape.push_back(2);
      pool.push_back(builder.create<JoinOp>(location, type.clone(shape), source, other));
      return;
    }
    if (upTo(1) && type.getRank() > 1) {
      SmallVector<int32_t> order(llvm::seq<int32_t>(0, type.getRank()).begin(),
                                 llvm::seq<int32_t>(0, type.getRank()).end());
      std::shuffle(order.begin(), order.end(), random);
      for (auto [length, axis] : llvm::zip_equal(shape, order))
        length = type.getDimSize(axis);
      pool.push_back(builder.create<TransOp>(location, type.clone(shape), source, order));
      return;
    }
    int64_t rest = type.getNumElements();
    shape.clear();
    while (shape.size() < 2 && upTo(2)) {
      int64_t length = pick(kLengths);
      if (length <= rest) {
        shape.push_back(length);
        rest /= length;
      }
    }
    shape.insert(shape.begin() + upTo(shape.size()), rest);
    pool.push_back(builder.create<ReshapeOp>(location, type.clone(shape), source, false, false));
  }

  void addPointer() {
    Value pointer = pickIf([](Type type) { return isPtrLike(type); });
    if (upTo(4) == 0) {
      Type pointee = upTo(1) ? builder.getI8Type() : builder.getI64Type();
      Type type = withElement(pointer.getType(), PtrType::get(pointee));
      pool.push_back(builder.create<BitcastOp>(location, type, pointer));
      return;
    }
    if (upTo(8) == 0) {
      Type type = withElement(pointer.getType(), builder.getI64Type());
      pool.push_back(builder.create<PtrToIntOp>(location, type, pointer));
      return;
    }
    Value offset = pickInteger();
    if (!isTile(pointer.getType()) && isTile(offset.getType()))
      pointer = builder.create<SplatOp>(location, withElement(offset.getType(), pointer.getType()), pointer);
    else if (shapeOf(pointer.getType()) != shapeOf(offset.getType()))
      offset = constant(withElement(pointer.getType(), builder.getI32Type()), pick(kConstants));
    pool.push_back(builder.create<AddPtrOp>(location, pointer.getType(), pointer, offset));
  }

  void addConversion() {
    Value source = pickIf([](Type type) { return isIntLike(type); });
    unsigned from = elementBits(source.getType()), to = pick(std::to_array<unsigned>({8, 16, 32, 64}));
    Type type = withElement(source.getType(), builder.getIntegerType(to));
    if (to < from)
      pool.push_back(builder.create<arith::TruncIOp>(location, type, source));
    else if (to > from && upTo(1))
      pool.push_back(builder.create<arith::ExtSIOp>(location, type, source));
    else if (to > from)
      pool.push_back(builder.create<arith::ExtUIOp>(location, type, source));
  }

  /// Integers of 8 bits that wrap around, made wide again.
  void addNarrowSum() {
    Value source =
        pickIf([](Type type) { return isTile(type) && isIntLike(type) && elementBits(type) == 32; });
    Type narrow = withElement(source.getType(), builder.getI8Type());
    Value cut = builder.create<arith::TruncIOp>(location, narrow, source);
    Value offset = constant(narrow, pick(std::to_array<int64_t>({100, 112, 120, 125, 126, -128, -100})));
    Value sum = upTo(2) ? builder.create<arith::AddIOp>(location, cut, offset).getResult()
                        : builder.create<arith::SubIOp>(location, cut, offset).getResult();
    pool.append({cut, sum, builder.create<arith::ExtSIOp>(location, source.getType(), sum)});
  }

  /// Fills a block with operations on the pool and the block's arguments; yields values of the given types.
  void fill(Block *block, ValueRange arguments, ValueRange fallback) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    size_t outside = pool.size();
    pool.append(arguments.begin(), arguments.end());
    for (int n = 0; n < 6; ++n)
      addAny(/*depth=*/1);
    SmallVector<Value> results;
    for (Value value : fallback) {
      SmallVector<Value> inside;
      for (Value candidate : ArrayRef(pool).drop_front(outside))
        if (candidate.getType() == value.getType())
          inside.push_back(candidate);
      results.push_back(inside.empty() ? value : pick(inside));
    }
    builder.create<scf::YieldOp>(location, results);
    pool.truncate(outside);
  }

  SmallVector<Value> someValues() {
    SmallVector<Value> values;
    for (int64_t n = upTo(2) + 1; n > 0; --n)
      values.push_back(pick(pool));
    return values;
  }

  void addLoop() {
    Type i32 = builder.getI32Type();
    Value lower = constant(i32, pick(std::to_array<int64_t>({0, 0, 4, 8})));
    Value upper = constant(i32, pick(std::to_array<int64_t>({8, 16, 40})));
    Value step = constant(i32, pick(std::to_array<int64_t>({1, 4, 8})));
    SmallVector<Value> inits = someValues();
    auto loop = builder.create<scf::ForOp>(location, lower, upper, step, inits);
    fill(loop.getBody(), loop.getBody()->getArguments(), loop.getRegionIterArgs());
    llvm::append_range(pool, loop.getResults());
  }

  void addIf() {
    SmallVector<Value> values = someValues();
    auto branch = builder.create<scf::IfOp>(location, TypeRange(ValueRange(values)), condition, true);
    fill(branch.thenBlock(), {}, values);
    fill(branch.elseBlock(), {}, values);
    llvm::append_range(pool, branch.getResults());
  }

  OpBuilder builder;
  Location location;
  std::mt19937_64 random;
  SmallVector<Value> pool;
  Value condition;
};

} // namespace

OwningOpRef<ModuleOp> makeRandomModule(MLIRContext &context, uint64_t seed) {
  return Generator(context, seed).run();
}

} // namespace trisect::tt
