// A barrier stands before an access that could meet another one, and nowhere else.
// RUN: trisect-gpu --emit=barriers --kernel=k %s | FileCheck %s
// RUN: trisect-gpu --emit=barriers --kernel=settled %s | FileCheck %s --check-prefix=SETTLED
#block = #tile.layout<"64 reg 1 lane 2 4 8 16 32 warp 0 0">
#other = #tile.layout<"64 reg 32 lane 1 2 4 8 16 warp 0 0">
#memory = #tile.layout<"64 offset 1 2 4 8 16 32">

// CHECK-LABEL: @k
tt.func public @k(%value: i32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = tt.splat %value : i32 -> tensor<64xi32, #block>
  %first = tile.buffer {offset = 0 : i64} : <64xi32, #memory>
  %second = tile.buffer {offset = 256 : i64} : <64xi32, #memory>
  // Written twice: the second waits; the other buffer does not.
  // CHECK: tile.store
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  tile.store %block, %first : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  tile.store %block, %second : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  tile.store %block, %first : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  // What the barrier has settled is read at once; reads do not wait for reads.
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  %a = tile.load %second : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
  %b = tile.load %second : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
  %c = tile.load %first : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
  // The turn before may have written it, and it may still be read.
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: scf.if
  %even = arith.cmpi eq, %n, %zero : i32
  scf.for %i = %zero to %n step %one : i32 {
    tile.store %block, %first : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
    // CHECK: tile.load
    // CHECK-NOT: tile.barrier
    // CHECK: else
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.load
    scf.if %even {
      %d = tile.load %second : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
    } else {
      %e = tile.load %first : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
    }
  }
  // A barrier that is there already serves.
  // CHECK: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tt.return
  tile.barrier
  tile.store %block, %first : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  tt.return
}

// The barrier within a reduction settles what was written before it; that of a conversion, which may come to nothing,
// does not.
// SETTLED-LABEL: @settled
// SETTLED: tile.store
// SETTLED-NEXT: "tt.reduce"
// SETTLED: tile.scratch
// SETTLED-NEXT: tile.load
// SETTLED-NEXT: tile.barrier
// SETTLED-NEXT: tile.store
// SETTLED-NEXT: tile.convert
// SETTLED-NEXT: tile.barrier
// SETTLED-NEXT: tile.load
tt.func public @settled(%value: i32) {
  %block = tt.splat %value : i32 -> tensor<64xi32, #block>
  %buffer = tile.buffer {offset = 0 : i64} : <64xi32, #memory>
  tile.store %block, %buffer : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  %sum = "tt.reduce"(%block) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tt.reduce.return %c : i32
  }) {tile.scratch = array<i64: 256, 16>} : (tensor<64xi32, #block>) -> i32
  %first = tile.load %buffer : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
  tile.store %block, %buffer : tensor<64xi32, #block>, !tile.buffer<64xi32, #memory>
  %moved = tile.convert %block {tile.scratch = array<i64: 256, 256>} : tensor<64xi32, #block> -> tensor<64xi32, #other>
  %second = tile.load %buffer : !tile.buffer<64xi32, #memory> -> tensor<64xi32, #block>
  tt.return
}
