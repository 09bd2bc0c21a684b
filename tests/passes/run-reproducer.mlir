// A file of TRITON_REPRODUCER_PATH is repeated.
// RUN: trisect-opt --run-reproducer %s | FileCheck %s

// CHECK-LABEL: tt.func public @twice
// CHECK: %[[TWO:.*]] = arith.constant 2
// CHECK-NEXT: %[[ONCE:.*]] = arith.muli %{{.*}}, %[[TWO]]
// CHECK-NEXT: arith.addi %[[ONCE]], %[[ONCE]]
tt.func public @twice(%o: !tt.ptr<i32>, %n: i32) {
  %two = arith.constant 2 : i32
  %a = arith.muli %n, %two : i32
  %b = arith.muli %n, %two : i32
  %c = arith.addi %a, %b : i32
  tt.store %o, %c : !tt.ptr<i32>
  tt.return
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse)",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
