// `(start + range) % n` keeps neighbours together where the start is not negative: the kernel is there twice.
// RUN: trisect-gpu --kernel=wrapped %s | FileCheck %s
// RUN: trisect-gpu --kernel=known %s | FileCheck %s --check-prefix=KNOWN

// KNOWN: #tile.layout<"1024 reg 1 2 4 lane
// KNOWN-NOT: scf.if

// CHECK-LABEL: @wrapped
// CHECK: %[[MOST:.*]] = arith.constant 2147482624 : i32
// CHECK: %[[SAFE:.*]] = arith.cmpi ule, %arg2, %[[MOST]]
// CHECK: scf.if %[[SAFE]] {
// CHECK: %[[SHOWN:.*]] = arith.maxsi %arg2
// CHECK: tt.splat %[[SHOWN]]
// CHECK: arith.remsi
// CHECK: tt.load
// CHECK: } else {
// CHECK-NOT: arith.maxsi
// CHECK: arith.remsi
// CHECK: tt.load
tt.func public @wrapped(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %start: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %start : i32 -> tensor<1024xi32>
  %i = arith.addi %s, %r : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %w = arith.remsi %i, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %w : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<f16>>
  %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
  %op = tt.addptr %os, %r : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
  tt.store %op, %v : tensor<1024x!tt.ptr<f16>>
  tt.return
}

// A program's number is not negative.
tt.func public @known(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %pid = tt.get_program_id x : i32
  %block = arith.constant 128 : i32
  %start = arith.muli %pid, %block : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %start : i32 -> tensor<1024xi32>
  %i = arith.addi %s, %r : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %w = arith.remsi %i, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %w : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<f16>>
  %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
  %op = tt.addptr %os, %r : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
  tt.store %op, %v : tensor<1024x!tt.ptr<f16>>
  tt.return
}
