//===- SampleKernels.h - TTIR of whole kernels ----------------------------------------------------------===//
//
// What: vector add, softmax, matrix product and layer norm as text, for tests and benchmarks of tier 0.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_SAMPLEKERNELS_H
#define TRISECT_INTERP_TOOLS_SAMPLEKERNELS_H

namespace trisect::interp {

/// out[i] = x[i] + y[i] for i < n, 1024 elements a program.
inline const char *vectorAdd = R"(
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c1024 : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %base = tt.splat %start : i32 -> tensor<1024xi32>
  %offs = arith.addi %base, %range : tensor<1024xi32>
  %bound = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %offs, %bound : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %offs : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %xv = tt.load %xp, %mask : tensor<1024x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %offs : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %yv = tt.load %yp, %mask : tensor<1024x!tt.ptr<f32>>
  %sum = arith.addf %xv, %yv : tensor<1024xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %op = tt.addptr %os, %offs : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %op, %sum, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

/// Row softmax of 1024 columns, one row a program.
inline const char *softmax = R"(
tt.func public @softmax(%out: !tt.ptr<f32>, %in: !tt.ptr<f32>, %stride: i32, %n: i32) {
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %stride : i32
  %row = tt.addptr %in, %start : !tt.ptr<f32>, i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %rows = tt.splat %row : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ptrs = tt.addptr %rows, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %bound = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %range, %bound : tensor<1024xi32>
  %ninf = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %x = tt.load %ptrs, %mask, %ninf : tensor<1024x!tt.ptr<f32>>
  %max = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %maxs = tt.splat %max : f32 -> tensor<1024xf32>
  %centred = arith.subf %x, %maxs : tensor<1024xf32>
  %e = math.exp %centred : tensor<1024xf32>
  %sum = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %sums = tt.splat %sum : f32 -> tensor<1024xf32>
  %y = arith.divf %e, %sums : tensor<1024xf32>
  %orow = tt.addptr %out, %start : !tt.ptr<f32>, i32
  %orows = tt.splat %orow : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %optrs = tt.addptr %orows, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %optrs, %y, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

/// c = a . b, row-major, blocks of 128 x 128 x 32, sizes multiples of them.
inline const char *matmul = R"(
tt.func public @matmul(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %rk = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %m0 = arith.muli %pm, %c128 : i32
  %n0 = arith.muli %pn, %c128 : i32
  %m0s = tt.splat %m0 : i32 -> tensor<128xi32>
  %n0s = tt.splat %n0 : i32 -> tensor<128xi32>
  %rm = arith.addi %m0s, %range : tensor<128xi32>
  %rn = arith.addi %n0s, %range : tensor<128xi32>
  %rm2 = tt.expand_dims %rm {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %rn2 = tt.expand_dims %rn {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %rk2 = tt.expand_dims %rk {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %rk3 = tt.expand_dims %rk {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %ks = tt.splat %k : i32 -> tensor<128x1xi32>
  %arow = arith.muli %rm2, %ks : tensor<128x1xi32>
  %arow2 = tt.broadcast %arow : tensor<128x1xi32> -> tensor<128x32xi32>
  %acol = tt.broadcast %rk2 : tensor<1x32xi32> -> tensor<128x32xi32>
  %aoff = arith.addi %arow2, %acol : tensor<128x32xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
  %ap = tt.addptr %as, %aoff : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
  %ns = tt.splat %n : i32 -> tensor<32x1xi32>
  %brow = arith.muli %rk3, %ns : tensor<32x1xi32>
  %brow2 = tt.broadcast %brow : tensor<32x1xi32> -> tensor<32x128xi32>
  %bcol = tt.broadcast %rn2 : tensor<1x128xi32> -> tensor<32x128xi32>
  %boff = arith.addi %brow2, %bcol : tensor<32x128xi32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %boff : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
  %bstep = arith.muli %n, %c32 : i32
  %bsteps = tt.splat %bstep : i32 -> tensor<32x128xi32>
  %asteps = arith.constant dense<32> : tensor<128x32xi32>
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %pa = %ap, %pb = %bp)
      -> (tensor<128x128xf32>, tensor<128x32x!tt.ptr<f32>>, tensor<32x128x!tt.ptr<f32>>) : i32 {
    %av = tt.load %pa : tensor<128x32x!tt.ptr<f32>>
    %bv = tt.load %pb : tensor<32x128x!tt.ptr<f32>>
    %d = tt.dot %av, %bv, %acc : tensor<128x32xf32> * tensor<32x128xf32> -> tensor<128x128xf32>
    %pa2 = tt.addptr %pa, %asteps : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
    %pb2 = tt.addptr %pb, %bsteps : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
    scf.yield %d, %pa2, %pb2 : tensor<128x128xf32>, tensor<128x32x!tt.ptr<f32>>, tensor<32x128x!tt.ptr<f32>>
  }
  %nss = tt.splat %n : i32 -> tensor<128x1xi32>
  %crow = arith.muli %rm2, %nss : tensor<128x1xi32>
  %crow2 = tt.broadcast %crow : tensor<128x1xi32> -> tensor<128x128xi32>
  %ccol = tt.broadcast %rn2 : tensor<1x128xi32> -> tensor<128x128xi32>
  %coff = arith.addi %crow2, %ccol : tensor<128x128xi32>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %coff : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %cp, %r#0 : tensor<128x128x!tt.ptr<f32>>
  tt.return
}
)";

/// Layer norm of 1024 columns, one row a program.
inline const char *layerNorm = R"(
tt.func public @layernorm(%out: !tt.ptr<f32>, %in: !tt.ptr<f32>, %w: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %n : i32
  %row = tt.addptr %in, %start : !tt.ptr<f32>, i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %bound = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %range, %bound : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %eps = arith.constant 1.000000e-05 : f32
  %rows = tt.splat %row : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ptrs = tt.addptr %rows, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %ptrs, %mask, %zero : tensor<1024x!tt.ptr<f32>>
  %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %c: f32):
    %m = arith.addf %a, %c : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %nf = arith.sitofp %n : i32 to f32
  %mean = arith.divf %sum, %nf : f32
  %means = tt.splat %mean : f32 -> tensor<1024xf32>
  %d0 = arith.subf %x, %means : tensor<1024xf32>
  %d = arith.select %mask, %d0, %zero : tensor<1024xi1>, tensor<1024xf32>
  %d2 = arith.mulf %d, %d : tensor<1024xf32>
  %var0 = "tt.reduce"(%d2) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %c: f32):
    %m = arith.addf %a, %c : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %var = arith.divf %var0, %nf : f32
  %vare = arith.addf %var, %eps : f32
  %rstd = math.rsqrt %vare : f32
  %rstds = tt.splat %rstd : f32 -> tensor<1024xf32>
  %ws = tt.splat %w : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %wp = tt.addptr %ws, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %wv = tt.load %wp, %mask : tensor<1024x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %bv = tt.load %bp, %mask : tensor<1024x!tt.ptr<f32>>
  %xh = arith.mulf %d, %rstds : tensor<1024xf32>
  %y0 = arith.mulf %xh, %wv : tensor<1024xf32>
  %y = arith.addf %y0, %bv : tensor<1024xf32>
  %orow = tt.addptr %out, %start : !tt.ptr<f32>, i32
  %orows = tt.splat %orow : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %optrs = tt.addptr %orows, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %optrs, %y, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

} // namespace trisect::interp

#endif // TRISECT_INTERP_TOOLS_SAMPLEKERNELS_H
