// RUN: trisect-opt %s -test-print-axis-info -o /dev/null 2>&1 | FileCheck %s

// Each remark stands at the line of its operation; [[@LINE+n]] ties them together.

tt.func public @arith(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 8 : i32}, %m: i32) {
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [128], constancy = [1], constant = 128
  %c128 = arith.constant 128 : i32
  %pid = tt.get_program_id x : i32
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [128], constancy = [1]
  %start = arith.muli %pid, %c128 : i32
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [4611686018427387904], constancy = [1]
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [4], constancy = [1]
  %r4 = tt.make_range {end = 132 : i32, start = 4 : i32} : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [128], constancy = [128]
  %s = tt.splat %start : i32 -> tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [128], constancy = [1]
  %o = arith.addi %s, %r : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [1]
  %minus = arith.subi %s, %r : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [8], constancy = [128]
  %ns = tt.splat %n : i32 -> tensor<128xi32>
  // A bound that is a multiple of 8 cuts groups of 8 nowhere; one of which nothing is known cuts anywhere.
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [8]
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [8]
  %mirror = arith.cmpi sgt, %ns, %o : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [1]
  %including = arith.cmpi sle, %o, %ns : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [1]
  %equal = arith.cmpi eq, %o, %ns : tensor<128xi32>
  %ms = tt.splat %m : i32 -> tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [1]
  %any = arith.cmpi slt, %o, %ms : tensor<128xi32>
  %c16 = arith.constant dense<16> : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [16]
  %div = arith.divsi %o, %c16 : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [16], divisibility = [16], constancy = [1]
  %rem = arith.remsi %o, %c16 : tensor<128xi32>
  // Quotients of negative numbers round up: nothing follows.
  %unknown = arith.addi %ms, %r : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [1]
  %divunknown = arith.divsi %unknown, %c16 : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [16], constancy = [1]
  %times = arith.muli %o, %c16 : tensor<128xi32>
  %c4 = arith.constant dense<4> : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [16]
  %shr = arith.shrsi %o, %c4 : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [16], constancy = [1]
  %shl = arith.shli %o, %c4 : tensor<128xi32>
  %c7 = arith.constant dense<7> : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [8], divisibility = [8], constancy = [1]
  %low = arith.andi %o, %c7 : tensor<128xi32>
  %high = arith.constant dense<-8> : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [8], constancy = [8]
  %rounded = arith.andi %o, %high : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [16], divisibility = [16], constancy = [1]
  %ored = arith.ori %o, %c16 : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [16], constancy = [1]
  %most = arith.maxsi %times, %c16 : tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [8], divisibility = [8], constancy = [1]
  %chosen = arith.select %mask, %o, %r : tensor<128xi1>, tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [128], constancy = [1]
  %wide = arith.extsi %o : tensor<128xi32> to tensor<128xi64>
  %long = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [128], constancy = [1]
  %byte = arith.trunci %long : tensor<512xi32> to tensor<512xi8>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [16], constancy = [128]
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [16], constancy = [1]
  %q = tt.addptr %ps, %o : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  // Addresses count in bytes: an offset that is a multiple of 4 is one of 16.
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [16], constancy = [1]
  %q4 = tt.addptr %ps, %r4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [128], divisibility = [16], constancy = [1]
  %qi = tt.bitcast %q : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i32>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [4], constancy = [1]
  %qb = tt.bitcast %q : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i8>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [4], constancy = [1]
  %address = tt.ptr_to_int %q : tensor<128x!tt.ptr<f32>> -> tensor<128xi64>
  tt.return
}

// Known values fold, whatever made them.
tt.func public @constants(%c: i1) {
  %a = arith.constant 12 : i32
  %b = arith.constant 5 : i32
  // CHECK: [[@LINE+1]]:{{.*}} constant = 17
  %0 = arith.addi %a, %b : i32
  // CHECK: [[@LINE+1]]:{{.*}} divisibility = [4], constancy = [1], constant = 60
  %1 = arith.muli %a, %b : i32
  // CHECK: [[@LINE+1]]:{{.*}} constant = 2
  %2 = arith.divsi %a, %b : i32
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [8], constant = 12
  %3 = tt.splat %a : i32 -> tensor<8xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [8, 1], constant = 12
  %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [8, 4], constant = 12
  %5 = tt.broadcast %4 : tensor<8x1xi32> -> tensor<8x4xi32>
  // CHECK: [[@LINE+1]]:{{.*}} constant = 12
  %6 = arith.select %c, %a, %a : i32
  // CHECK: [[@LINE+1]]:{{.*}} divisibility = [1], constancy = [1]{{$}}
  %7 = arith.select %c, %a, %b : i32
  // CHECK: [[@LINE+1]]:{{.*}} constant = 7{{$}}
  %8 = tt.make_range {start = 7 : i32, end = 8 : i32} : tensor<1xi32>
  tt.return
}

tt.func public @shapes(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1]
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 32], divisibility = [1, 4611686018427387904], constancy = [1, 1]
  %cols = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %st = tt.splat %stride : i32 -> tensor<16x1xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1]
  %starts = arith.muli %rows, %st : tensor<16x1xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 32]
  %sb = tt.broadcast %starts : tensor<16x1xi32> -> tensor<16x32xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 32], divisibility = [1, 4611686018427387904], constancy = [16, 1]
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 32], divisibility = [1, 16], constancy = [1, 1]
  %o = arith.addi %sb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 32], divisibility = [2, 16], constancy = [1, 1]
  %q = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [32, 1], divisibility = [16, 2], constancy = [1, 1]
  %t = tt.trans %q {order = array<i32: 1, 0>} : tensor<16x32x!tt.ptr<f16>> -> tensor<32x16x!tt.ptr<f16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [32], divisibility = [16], constancy = [1]
  %flat = tt.reshape %o : tensor<16x32xi32> -> tensor<512xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1, 8], divisibility = [1, 1, 8], constancy = [1, 1, 1]
  %split = tt.reshape %o : tensor<16x32xi32> -> tensor<16x4x8xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [16], constancy = [32]
  %flatrows = tt.reshape %sb : tensor<16x32xi32> -> tensor<512xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1], divisibility = [16, 16], constancy = [4, 8]
  %finer = tt.reshape %sb : tensor<16x32xi32> -> tensor<64x8xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [1]
  %shuffled = tt.reshape %o allow_reorder : tensor<16x32xi32> -> tensor<512xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1]
  %pair = tt.join %r, %r : tensor<16xi32> -> tensor<16x2xi32>
  // CHECK: [[@LINE+2]]:{{.*}} result 0: contiguity = [16], divisibility = [4611686018427387904], constancy = [1]
  // CHECK: [[@LINE+1]]:{{.*}} result 1: contiguity = [16], divisibility = [4611686018427387904], constancy = [1]
  %a, %b = tt.split %pair : tensor<16x2xi32> -> tensor<16xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1], divisibility = [1], constancy = [1]
  %both = tt.cat %r, %r : tensor<16xi32> -> tensor<32xi32>
  tt.return
}

// Loads: equal addresses and masks give equal values; nothing else is known of memory.
tt.func public @loads(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %m: tensor<8x4xi1>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %e = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %o = tt.broadcast %e : tensor<8x1xi32> -> tensor<8x4xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x4x!tt.ptr<i32>>
  %q = tt.addptr %ps, %o : tensor<8x4x!tt.ptr<i32>>, tensor<8x4xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 4]
  %0 = tt.load %q : tensor<8x4x!tt.ptr<i32>>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [1, 1]
  %1 = tt.load %q, %m : tensor<8x4x!tt.ptr<i32>>
  // CHECK: [[@LINE+1]]:{{.*}} constancy = [1, 1]
  %2 = tt.load %q {isVolatile = true} : tensor<8x4x!tt.ptr<i32>>
  tt.return
}

// Hints raise what is known; numbers that are no powers of two count for their power of two.
tt.func public @hints(%x: i32 {tt.divisibility = 16 : i32}, %y: i32 {tt.divisibility = 12 : i32}, %v: tensor<64xi32>, %w: tensor<8x8xi32>) {
  // CHECK-DAG: argument 0: contiguity = [1], divisibility = [16], constancy = [1]
  // CHECK-DAG: argument 1: contiguity = [1], divisibility = [4], constancy = [1]
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [64], divisibility = [32], constancy = [1]
  %0 = arith.addi %v, %v {tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<32> : tensor<1xi32>} : tensor<64xi32>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 8], divisibility = [1, 4], constancy = [2, 1]
  %1 = arith.addi %w, %w {tt.contiguity = dense<[1, 16]> : tensor<2xi32>, tt.divisibility = dense<[1, 4]> : tensor<2xi32>, tt.constancy = dense<[2, 1]> : tensor<2xi32>} : tensor<8x8xi32>
  // CHECK: [[@LINE+1]]:{{.*}} divisibility = [8]
  %2 = arith.addi %x, %y {tt.divisibility = 8 : i32} : i32
  tt.return
}

// Loops: the facts of a carried value are those that every round keeps.
tt.func public @loops(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %step = arith.constant dense<4> : tensor<64xi32>
  // CHECK-DAG: [[@LINE+6]]:{{.*}} result 0: contiguity = [64], divisibility = [8], constancy = [1]{{$}}
  // CHECK-DAG: [[@LINE+5]]:{{.*}} result 1: contiguity = [1], divisibility = [32], constancy = [1]{{$}}
  // CHECK-DAG: [[@LINE+4]]:{{.*}} result 2: contiguity = [1], divisibility = [32], constancy = [1], constant = 32
  // CHECK-DAG: [[@LINE+3]]:{{.*}} argument 0: contiguity = [1], divisibility = [32], constancy = [1]{{$}}
  // CHECK-DAG: [[@LINE+2]]:{{.*}} argument 1: contiguity = [64], divisibility = [8], constancy = [1]{{$}}
  // CHECK-DAG: [[@LINE+1]]:{{.*}} argument 2: contiguity = [1], divisibility = [32], constancy = [1]{{$}}
  %l:3 = scf.for %i = %c0 to %n step %c32 iter_args(%a = %q, %b = %c0, %k = %c32) -> (tensor<64x!tt.ptr<f16>>, i32, i32) : i32 {
    %a1 = tt.addptr %a, %step : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    scf.yield %a1, %i, %k : tensor<64x!tt.ptr<f16>>, i32, i32
  }
  // CHECK: [[@LINE+1]]:{{.*}} result: contiguity = [1], divisibility = [4], constancy = [1]
  %w = scf.while (%x = %c32) : (i32) -> i32 {
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%x: i32):
    %four = arith.constant 4 : i32
    %y = arith.addi %x, %four : i32
    scf.yield %y : i32
  }
  // CHECK: [[@LINE+1]]:{{.*}} result: contiguity = [1], divisibility = [32], constancy = [1]{{$}}
  %if = scf.if %c -> (i32) {
    scf.yield %c32 : i32
  } else {
    %c96 = arith.constant 96 : i32
    scf.yield %c96 : i32
  }
  cf.cond_br %c, ^bb1(%c0 : i32), ^bb1(%c32 : i32)
^bb1(%z: i32):
  // CHECK: [[@LINE+1]]:{{.*}} divisibility = [32], constancy = [1]{{$}}
  %use = arith.bitcast %z : i32 to i32
  tt.return
}

// Calls: a private function knows what all its callers pass, and they know what it returns.
tt.func public @calls(%n: i32 {tt.divisibility = 64 : i32}) {
  %c16 = arith.constant 16 : i32
  // CHECK: [[@LINE+1]]:{{.*}} result: contiguity = [1], divisibility = [64], constancy = [1]{{$}}
  %0 = tt.call @times4(%n) : (i32) -> i32
  // CHECK: [[@LINE+1]]:{{.*}} result: contiguity = [1], divisibility = [64], constancy = [1]{{$}}
  %1 = tt.call @times4(%c16) : (i32) -> i32
  // CHECK: [[@LINE+1]]:{{.*}} result: contiguity = [1], divisibility = [1], constancy = [1]{{$}}
  %2 = tt.call @elsewhere(%c16) : (i32) -> i32
  tt.return
}

// CHECK: [[@LINE+1]]:{{.*}} argument 0: contiguity = [1], divisibility = [16], constancy = [1]{{$}}
tt.func private @times4(%x: i32) -> i32 {
  %c4 = arith.constant 4 : i32
  %0 = arith.muli %x, %c4 : i32
  tt.return %0 : i32
}

tt.func private @elsewhere(%x: i32) -> i32

// Block pointers: rows of unit stride are contiguous, their starts as aligned as base, offsets and strides.
tt.func public @block_pointers(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %h: i64, %s: i64 {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i32
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 64], divisibility = [2, 16], constancy = [1, 1]
  %b = tt.make_tensor_ptr %p, [%h, %h], [%s, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 64], divisibility = [2, 16], constancy = [1, 1]
  %down = tt.advance %b, [%n, %c0] : <tensor<32x64xf16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 64], divisibility = [2, 8], constancy = [1, 1]
  %right = tt.advance %b, [%c0, %c4] : <tensor<32x64xf16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [64, 1], divisibility = [16, 2], constancy = [1, 1]
  %t = tt.make_tensor_ptr %p, [%h, %h], [%c1, %s], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<64x32xf16>>
  // CHECK: [[@LINE+1]]:{{.*}} contiguity = [1, 1], divisibility = [2, 2], constancy = [1, 1]
  %strided = tt.make_tensor_ptr %p, [%h, %h], [%h, %s], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  tt.return
}
