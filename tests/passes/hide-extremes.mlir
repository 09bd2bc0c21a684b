// arith.maxnumf and minnumf are out of sight of folds in between, and themselves again afterwards.
// RUN: trisect-opt %s -hide-extremes | FileCheck %s --check-prefix=HIDDEN
// RUN: trisect-opt %s -hide-extremes -canonicalize -show-extremes | FileCheck %s

// HIDDEN-LABEL: @largest
// HIDDEN: tt.extern_elementwise {{.*}}symbol = "arith.maxnumf"
// CHECK-LABEL: @largest
// CHECK: %[[R:.*]] = arith.maxnumf
// CHECK: tt.store %{{.*}}, %[[R]]
tt.func public @largest(%out: !tt.ptr<f32>) {
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1.0 : f32
  %r = arith.maxnumf %nan, %one : f32
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}

// HIDDEN-LABEL: @bounded
// HIDDEN: tt.extern_elementwise {{.*}}symbol = "arith.minnumf"
// HIDDEN: tt.extern_elementwise {{.*}}symbol = "arith.maxnumf"
// CHECK-LABEL: @bounded
// CHECK: %[[A:.*]] = arith.minnumf
// CHECK: %[[B:.*]] = arith.maxnumf %[[A]]
// CHECK: tt.store %{{.*}}, %[[B]]
tt.func public @bounded(%out: !tt.ptr<f32>) {
  %most = arith.constant 0x7F800000 : f32
  %least = arith.constant 0xFF800000 : f32
  %x = tt.load %out : !tt.ptr<f32>
  %a = arith.minnumf %x, %most : f32
  %b = arith.maxnumf %a, %least : f32
  tt.store %out, %b : !tt.ptr<f32>
  tt.return
}
