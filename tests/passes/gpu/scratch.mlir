// What exchanges data between warps has scratch; scratch of one time lies over that of another, with a barrier
// between them where the second could write what the first still reads. Small scratch has a place of its own.
// RUN: trisect-gpu --kernel=sums --num-warps=4 %s | FileCheck %s --check-prefix=SUMS
// RUN: trisect-gpu --kernel=sums --num-warps=1 %s | FileCheck %s --check-prefix=ALONE
// RUN: trisect-gpu --kernel=counters %s | FileCheck %s --check-prefix=COUNTERS
// RUN: trisect-gpu --kernel=turn %s | FileCheck %s --check-prefix=TURN

// Four warps' sums of f32.
// SUMS: tile.shared = 32 : i32
// SUMS-NOT: tile.barrier
// SUMS: "tt.reduce"({{.*}}) <{axis = 0 : i32}> ({
// SUMS: }) {tile.scratch = array<i64: 0, 16>}
// SUMS-NOT: tile.barrier
// SUMS: "tt.reduce"
// SUMS: }) {tile.scratch = array<i64: 16, 16>}
// SUMS-NOT: tile.barrier
// ALONE: tile.shared = 0 : i32
// ALONE-NOT: tile.barrier
// ALONE-NOT: tile.scratch
tt.func public @sums(%x: !tt.ptr<f32>) {
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %at = tt.addptr %xs, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %value = tt.load %at : tensor<1024x!tt.ptr<f32>>
  %most = "tt.reduce"(%value) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<1024xf32>) -> f32
  %mosts = tt.splat %most : f32 -> tensor<1024xf32>
  %less = arith.subf %value, %mosts : tensor<1024xf32>
  %sum = "tt.reduce"(%less) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<1024xf32>) -> f32
  tt.store %x, %sum : !tt.ptr<f32>
  tt.return
}

// An atomic whose result nobody wants needs none; one that every thread wants does.
// COUNTERS-LABEL: @counters
// COUNTERS: tt.atomic_rmw
// COUNTERS-NOT: tile.scratch
// COUNTERS: tt.atomic_rmw {{.*}} {tile.scratch = array<i64: 0, 8>}
tt.func public @counters(%x: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %on = arith.constant true
  %unused = tt.atomic_rmw add, acq_rel, gpu, %x, %one, %on : (!tt.ptr<i32>, i32, i1) -> i32
  %ticket = tt.atomic_rmw add, acq_rel, gpu, %x, %one, %on : (!tt.ptr<i32>, i32, i1) -> i32
  tt.store %x, %ticket : !tt.ptr<i32>
  tt.return
}

// TURN: tile.shared = 16384 : i32
// TURN: tile.convert {{.*}} {tile.scratch = array<i64: 0, 16384>}
// TURN-NOT: tile.barrier
tt.func public @turn(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %strides = arith.constant dense<64> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %starts = arith.muli %rows, %strides : tensor<64x1xi32>
  %starts2 = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns2 = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %starts2, %columns2 : tensor<64x64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %value = tt.load %from : tensor<64x64x!tt.ptr<f32>>
  %turned = tt.trans %value {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tt.store %from, %turned : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
