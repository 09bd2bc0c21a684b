// arith.maxnumf is out of sight of folds in between, and itself again afterwards.
// RUN: trisect-opt %s -hide-maximum | FileCheck %s --check-prefix=HIDDEN
// RUN: trisect-opt %s -hide-maximum -canonicalize -show-maximum | FileCheck %s

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
