// Operands of a product go through swizzled buffers; a loop waits twice in each turn: before it overwrites what the
// turn before has read, and before it reads what was written.
// RUN: trisect-gpu --kernel=product %s | FileCheck %s
// RUN: trisect-gpu --kernel=chain %s | FileCheck %s --check-prefix=CHAIN
// RUN: trisect-gpu --kernel=exact %s | FileCheck %s --check-prefix=EXACT

// CHECK-DAG: #[[SUM:.*]] = #tile.layout<"64x64 reg 0,1 8,0 {{.*}} lane 0,2 0,4 1,0 2,0 4,0 warp
// CHECK-DAG: #[[MEMORY:.*]] = #tile.layout<"64x64 offset 0,1 0,2 0,4 0,8 0,16 0,32 1,8 2,16 4,32 8,0 16,0 32,0">
// CHECK: @product({{.*}} attributes {tile.num_warps = 4 : i32, tile.shared = 16384 : i32, tile.target = "cuda:90"}
// CHECK: scf.for
// CHECK: %[[A:.*]] = tile.buffer {offset = {{0|8192}} : i64} : <64x64xf16, #[[MEMORY]]>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %{{.*}}, %[[A]]
// CHECK-NEXT: %[[B:.*]] = tile.buffer {offset = {{0|8192}} : i64} : <64x64xf16, #[[MEMORY]]>
// CHECK-NEXT: tile.store %{{.*}}, %[[B]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.dot %[[A]], %[[B]], %{{.*}}, "mma" {{.*}} -> tensor<64x64xf32, #[[SUM]]>
// CHECK-NEXT: scf.yield
tt.func public @product(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %sum = scf.for %i = %zero to %n step %one iter_args(%total = %none) -> (tensor<64x64xf32>) : i32 {
    %a = tt.load %xs : tensor<64x64x!tt.ptr<f16>>
    %b = tt.load %ys : tensor<64x64x!tt.ptr<f16>>
    %next = tt.dot %a, %b, %total : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// The result of a product is the operand of the next one where it lies; only the right operands are staged.
// CHAIN-LABEL: @chain
// CHAIN-COUNT-3: tile.buffer
// CHAIN: %[[P:.*]] = arith.truncf
// CHAIN: tile.dot %[[P]], %{{.*}}, %{{.*}}, "mma" : tensor<64x64xf16, {{.*}}> * !tile.buffer<64x64xf16
tt.func public @chain(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %a = tt.load %xs : tensor<64x64x!tt.ptr<f16>>
  %b = tt.load %ys : tensor<64x64x!tt.ptr<f16>>
  %c = tt.load %xs {isVolatile = true} : tensor<64x64x!tt.ptr<f16>>
  %scores = tt.dot %a, %b, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %p = arith.truncf %scores : tensor<64x64xf32> to tensor<64x64xf16>
  %result = tt.dot %p, %c, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %outs, %result : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Full precision is no matter for tensor cores; tf32 is.
// EXACT-LABEL: @exact
// EXACT: tile.dot %{{.*}}, %{{.*}}, %{{.*}}, "fma" : tensor<{{.*}}> * tensor<{{.*}}>
// EXACT: tile.dot %{{.*}}, %{{.*}}, %{{.*}}, "mma", inputPrecision = tf32 : !tile.buffer<{{.*}}> * !tile.buffer
tt.func public @exact(%x: !tt.ptr<f32>) {
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %a = tt.load %xs : tensor<32x32x!tt.ptr<f32>>
  %b = tt.load %xs {isVolatile = true} : tensor<32x32x!tt.ptr<f32>>
  %first = tt.dot %a, %b, %none : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
  %second = tt.dot %a, %b, %first, inputPrecision = tf32 : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
  tt.store %xs, %second : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
