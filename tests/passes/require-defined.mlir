// RUN: trisect-opt %s -require-defined | FileCheck %s

// CHECK-LABEL: tt.func @bound
// CHECK: %[[NOT_ZERO:.*]] = arith.cmpi ne, %arg1
// CHECK: tt.assert %[[NOT_ZERO]], "the trip count of this loop hangs on an undefined value: arith.divui divides by zero
// CHECK-SAME: {tt.defined}
// CHECK-NEXT: scf.for
tt.func @bound(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %q = arith.divui %n, %m : i32
  scf.for %i = %zero to %q step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}

// What is known to be defined, or decides nothing, costs nothing.
// CHECK-LABEL: tt.func @defined
// CHECK-NOT: tt.assert
tt.func @defined(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %q = arith.divsi %n, %three : i32
  %r = arith.divsi %n, %m : i32
  %s = arith.shrsi %q, %three : i32
  scf.for %i = %zero to %s step %three : i32 {
    tt.store %p, %r : !tt.ptr<i32>
  }
  tt.return
}

// The least number by -1; the arm that is taken.
// CHECK-LABEL: tt.func @chosen
// CHECK: arith.cmpi ne, %{{.*}}, %c-2147483648_i32
// CHECK: %[[ARM:.*]] = arith.select %arg2, %{{.*}}, %true
// CHECK: tt.assert %[[ARM]], "the condition of this branch hangs
// CHECK-NEXT: scf.if
tt.func @chosen(%n: i32, %m: i32, %c: i1, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %q = arith.divsi %n, %m : i32
  %v = arith.select %c, %q, %zero : i32
  %b = arith.cmpi sgt, %v, %zero : i32
  scf.if %b {
    tt.store %p, %n : !tt.ptr<i32>
  }
  tt.return
}

// A value that is handed on is looked at where it is handed on.
// CHECK-LABEL: tt.func @carried
// CHECK: ^bb1(%[[X:[0-9]+]]: i32)
// CHECK: arith.shrui %[[X]], %arg1
// CHECK: tt.assert %{{.*}}, "a value that decides the way of this program hangs
// CHECK-NEXT: cf.cond_br
tt.func @carried(%n: i32, %m: i32) {
  cf.br ^bb1(%n : i32)
^bb1(%x: i32):
  %zero = arith.constant 0 : i32
  %more = arith.cmpi ne, %x, %zero : i32
  %y = arith.shrui %x, %m : i32
  cf.cond_br %more, ^bb1(%y : i32), ^bb2
^bb2:
  tt.return
}
