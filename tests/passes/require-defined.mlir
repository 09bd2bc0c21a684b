// RUN: trisect-opt %s -require-defined | FileCheck %s
// RUN: trisect-opt %s -require-defined-pointers | FileCheck %s --check-prefix=POINTERS --implicit-check-not=tt.assert

// CHECK-LABEL: tt.func @bound
// CHECK: %[[NOT_ZERO:.*]] = arith.cmpi ne, %arg1
// CHECK: tt.assert %[[NOT_ZERO]], "the trip count of this loop hangs on an undefined value: arith.divui divides by zero
// CHECK-SAME: {tt.defined = true}
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

// What a helper computes is computed beside its call, and only for the assertion.
// CHECK-LABEL: tt.func @calls
// CHECK: %[[COUNT:.*]] = tt.call @ceil(%arg0, %arg1)
// CHECK: %[[FITS:.*]] = arith.cmpi ne, %arg1
// CHECK-NOT: arith.divui
// CHECK: tt.assert %[[FITS]], "the trip count of this loop hangs on an undefined value: arith.divui divides by zero
// CHECK: scf.for %{{.*}} to %[[COUNT]]
tt.func @calls(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %q = tt.call @ceil(%n, %m) : (i32, i32) -> i32
  scf.for %i = %zero to %q step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}
tt.func private @ceil(%n: i32, %m: i32) -> i32 {
  %sum = arith.addi %n, %m : i32
  %q = arith.divui %sum, %m : i32
  tt.return %q : i32
}

// What decides in a helper is looked at where it is handed over.
// CHECK-LABEL: tt.func @hands
// CHECK: tt.assert %{{.*}}, "a value that decides the way of this program hangs on an undefined value: arith.divui
// CHECK-NEXT: tt.call @fill
tt.func @hands(%n: i32, %m: i32) {
  %q = arith.divui %n, %m : i32
  tt.call @fill(%q) : (i32) -> ()
  tt.return
}
tt.func private @fill(%n: i32) {
  %zero = arith.constant 0 : i32
  %more = arith.cmpi ne, %n, %zero : i32
  scf.if %more {
  }
  tt.return
}

// All lanes of a block that one number is made of.
// CHECK-LABEL: tt.func @lanes
// CHECK: %[[WIDE:.*]] = arith.extui %arg1 : tensor<4xi1> to tensor<4xi32>
// CHECK: %[[ALL:.*]] = "tt.reduce"(%[[WIDE]])
// CHECK: %[[TRUE:.*]] = arith.cmpi ne, %[[ALL]]
// CHECK: tt.assert %[[TRUE]], "the condition of this branch hangs on an undefined value: tt.load has a false mask
tt.func @lanes(%p: tensor<4x!tt.ptr<i32>>, %mask: tensor<4xi1>) {
  %zero = arith.constant 0 : i32
  %v = tt.load %p, %mask : tensor<4x!tt.ptr<i32>>
  %sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %both = arith.addi %a, %b : i32
    tt.reduce.return %both : i32
  }) : (tensor<4xi32>) -> i32
  %some = arith.cmpi ne, %sum, %zero : i32
  scf.if %some {
  }
  tt.return
}

// CHECK-LABEL: tt.func @box
// CHECK: tt.assert %{{.*}}, "the shape of this tensor in dimension 0 hangs on an undefined value: arith.divsi
// CHECK: tt.make_tensor_ptr
// POINTERS-LABEL: tt.func @box
// POINTERS: tt.assert %{{.*}}, "the shape of this tensor in dimension 0 hangs on an undefined value: arith.divsi
// POINTERS: tt.make_tensor_ptr
tt.func @box(%p: !tt.ptr<f32>, %n: i64, %m: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %h = arith.divsi %n, %m : i64
  %b = tt.make_tensor_ptr %p, [%h], [%one], [%zero] {order = array<i32: 0>} : <tensor<8xf32>>
  %v = tt.load %b {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// An index counts within its block, unless the element is dropped.
// CHECK-LABEL: tt.func @picked
// CHECK: arith.cmpi sge, %arg1
// CHECK: arith.cmpi slt, %arg1, %cst
// CHECK: "tt.reduce"
// CHECK: tt.assert %{{.*}}, "the condition of this branch hangs on an undefined value: tt.gather has an index outside
// CHECK: tt.assert %{{.*}}, "the condition of this branch hangs on an undefined value: arith.divsi
tt.func @picked(%x: tensor<4xi32>, %at: tensor<4xi32>, %by: tensor<4xi32>) {
  %zero = arith.constant 0 : i32
  %q = arith.divsi %x, %by : tensor<4xi32>
  %v = tt.gather %q[%at] {axis = 0 : i32} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %both = arith.addi %a, %b : i32
    tt.reduce.return %both : i32
  }) : (tensor<4xi32>) -> i32
  %some = arith.cmpi ne, %sum, %zero : i32
  scf.if %some {
  }
  tt.return
}

// CHECK-LABEL: tt.func @counted
// CHECK: %[[OFF:.*]] = arith.cmpi eq, %arg1
// CHECK: arith.ori %{{.*}}, %[[OFF]]
// CHECK: tt.assert %{{.*}}, "the condition of this branch hangs on an undefined value: tt.histogram has an index outside
tt.func @counted(%x: tensor<4xi32>, %mask: tensor<4xi1>) {
  %zero = arith.constant 0 : i32
  %counts = tt.histogram %x, %mask : tensor<4xi32> -> tensor<8xi32>
  %most = "tt.reduce"(%counts) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %both = arith.maxsi %a, %b : i32
    tt.reduce.return %both : i32
  }) : (tensor<8xi32>) -> i32
  %some = arith.cmpi ne, %most, %zero : i32
  scf.if %some {
  }
  tt.return
}
