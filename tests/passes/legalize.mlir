// RUN: trisect-opt %s -legalize | FileCheck %s

// Statements after a return and helpers without a caller go; everything else is as the front end wrote it.

// CHECK-LABEL: tt.func public @kernel
tt.func public @kernel(%x: f32) -> f32 {
  // CHECK: tt.call @helper
  // CHECK: arith.addf
  // CHECK: arith.addf
  // CHECK: tt.return
  // CHECK-NEXT: }
  %0 = tt.call @helper(%x) : (f32) -> f32
  %1 = arith.addf %0, %x : f32
  %2 = arith.addf %0, %x : f32
  tt.return %2 : f32
^bb1:
  %3 = ub.poison : f32
  tt.return %3 : f32
}

// CHECK: tt.func private @helper
tt.func private @helper(%x: f32) -> f32 {
  tt.return %x : f32
}

// CHECK-NOT: @unused
tt.func private @unused(%x: f32) -> f32 {
  tt.return %x : f32
}
