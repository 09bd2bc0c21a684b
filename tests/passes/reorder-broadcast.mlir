// RUN: trisect-opt %s -triton-reorder-broadcast | FileCheck %s

// CHECK-LABEL: @splats
tt.func @splats(%x: f32, %y: f32) -> tensor<8x4xf32> {
  // CHECK: %[[S:.*]] = arith.addf %arg0, %arg1 : f32
  // CHECK-NEXT: %[[T:.*]] = tt.splat %[[S]] : f32 -> tensor<8x4xf32>
  // CHECK-NEXT: tt.return %[[T]]
  %0 = tt.splat %x : f32 -> tensor<8x4xf32>
  %1 = tt.splat %y : f32 -> tensor<8x4xf32>
  %2 = arith.addf %0, %1 : tensor<8x4xf32>
  tt.return %2 : tensor<8x4xf32>
}

// CHECK-LABEL: @splat_and_constant
tt.func @splat_and_constant(%x: i32) -> tensor<8xi1> {
  %c = arith.constant dense<7> : tensor<8xi32>
  // CHECK: %[[C:.*]] = arith.constant 7 : i32
  // CHECK: %[[P:.*]] = arith.cmpi slt, %arg0, %[[C]] : i32
  // CHECK: tt.splat %[[P]] : i1 -> tensor<8xi1>
  %0 = tt.splat %x : i32 -> tensor<8xi32>
  %1 = arith.cmpi slt, %0, %c : tensor<8xi32>
  tt.return %1 : tensor<8xi1>
}

// CHECK-LABEL: @splat_pointers
tt.func @splat_pointers(%p: !tt.ptr<f32>, %i: i32) -> tensor<8x!tt.ptr<f32>> {
  // CHECK: %[[Q:.*]] = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
  // CHECK: tt.splat %[[Q]]
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %1 = tt.splat %i : i32 -> tensor<8xi32>
  %2 = tt.addptr %0, %1 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %2 : tensor<8x!tt.ptr<f32>>
}

// Attributes of the operation stay with it; hints speak of the block and stay with the block.
// CHECK-LABEL: @attributes
tt.func @attributes(%x: f32, %i: i32, %j: i32) -> (tensor<8xf8E5M2>, tensor<8xi32>) {
  // CHECK: %[[S:.*]] = tt.fp_to_fp %arg0, rounding = rtz : f32 -> f8E5M2
  // CHECK: tt.splat %[[S]]
  %0 = tt.splat %x : f32 -> tensor<8xf32>
  %1 = tt.fp_to_fp %0, rounding = rtz : tensor<8xf32> -> tensor<8xf8E5M2>
  // CHECK: %[[K:.*]] = arith.addi %arg1, %arg2 overflow<nsw> : i32
  // CHECK: tt.splat %[[K]] {tt.divisibility = dense<16> : tensor<1xi32>} : i32 -> tensor<8xi32>
  %2 = tt.splat %i : i32 -> tensor<8xi32>
  %3 = tt.splat %j : i32 -> tensor<8xi32>
  %4 = arith.addi %2, %3 overflow<nsw> {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<8xi32>
  tt.return %1, %4 : tensor<8xf8E5M2>, tensor<8xi32>
}

// CHECK-LABEL: @scalar_condition
tt.func @scalar_condition(%c: i1, %x: f32, %y: f32) -> tensor<8xf32> {
  // CHECK: %[[S:.*]] = arith.select %arg0, %arg1, %arg2 : f32
  // CHECK: tt.splat %[[S]]
  %0 = tt.splat %x : f32 -> tensor<8xf32>
  %1 = tt.splat %y : f32 -> tensor<8xf32>
  %2 = arith.select %c, %0, %1 : tensor<8xf32>
  tt.return %2 : tensor<8xf32>
}

// CHECK-LABEL: @broadcasts
tt.func @broadcasts(%x: tensor<8x1xf32>, %y: tensor<8x1xf32>, %s: f32) -> tensor<8x4xf32> {
  %half = arith.constant dense<0.5> : tensor<8x4xf32>
  // CHECK-DAG: %[[H:.*]] = arith.constant dense<5.000000e-01> : tensor<8x1xf32>
  // CHECK-DAG: %[[S:.*]] = tt.splat %arg2 : f32 -> tensor<8x1xf32>
  // CHECK-DAG: %[[A:.*]] = arith.addf %arg0, %arg1 : tensor<8x1xf32>
  // CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[S]] : tensor<8x1xf32>
  // CHECK: %[[C:.*]] = arith.subf %[[B]], %[[H]] : tensor<8x1xf32>
  // CHECK: tt.broadcast %[[C]] : tensor<8x1xf32> -> tensor<8x4xf32>
  // CHECK-NOT: tt.broadcast
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8x4xf32>
  %1 = tt.broadcast %y : tensor<8x1xf32> -> tensor<8x4xf32>
  %2 = arith.addf %0, %1 : tensor<8x4xf32>
  %3 = tt.splat %s : f32 -> tensor<8x4xf32>
  %4 = arith.mulf %2, %3 : tensor<8x4xf32>
  %5 = arith.subf %4, %half : tensor<8x4xf32>
  tt.return %5 : tensor<8x4xf32>
}

// Rows and columns meet in a full block: nothing is smaller.
// CHECK-LABEL: @rows_and_columns
tt.func @rows_and_columns(%x: tensor<8x1xf32>, %y: tensor<1x4xf32>) -> tensor<8x4xf32> {
  // CHECK: arith.addf %{{.*}} : tensor<8x4xf32>
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8x4xf32>
  %1 = tt.broadcast %y : tensor<1x4xf32> -> tensor<8x4xf32>
  %2 = arith.addf %0, %1 : tensor<8x4xf32>
  tt.return %2 : tensor<8x4xf32>
}

// CHECK-LABEL: @full_operand
tt.func @full_operand(%x: tensor<8x1xf32>, %y: tensor<8x4xf32>, %s: f32) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: arith.addf %{{.*}} : tensor<8x4xf32>
  // CHECK: arith.mulf %{{.*}} : tensor<8x4xf32>
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8x4xf32>
  %1 = arith.addf %0, %y : tensor<8x4xf32>
  %2 = tt.splat %s : f32 -> tensor<8x4xf32>
  %3 = arith.mulf %2, %y : tensor<8x4xf32>
  tt.return %1, %3 : tensor<8x4xf32>, tensor<8x4xf32>
}

// A constant that is not uniform.
// CHECK-LABEL: @mixed_constant
tt.func @mixed_constant(%x: f32) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: arith.addf %{{.*}} : tensor<2xf32>
  %0 = tt.splat %x : f32 -> tensor<2xf32>
  %1 = arith.addf %0, %c : tensor<2xf32>
  tt.return %1 : tensor<2xf32>
}

// Effects happen as often as they are written; one load from eight equal addresses stays a load of eight.
// CHECK-LABEL: @effects
tt.func @effects(%p: !tt.ptr<f32>, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: tt.load %{{.*}} : tensor<8x!tt.ptr<f32>>
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %1 = tt.load %0 : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.extern_elementwise %{{.*}} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = tt.splat %x : f32 -> tensor<8xf32>
  %3 = tt.extern_elementwise %2 {libname = "", libpath = "", pure = false, symbol = "f"} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// Four packed elements pass through one instruction; one element cannot.
// CHECK-LABEL: @packed_assembly
tt.func @packed_assembly(%x: i8) -> tensor<64xi8> {
  // CHECK: tt.elementwise_inline_asm {{.*}} : tensor<64xi8> -> tensor<64xi8>
  %0 = tt.splat %x : i8 -> tensor<64xi8>
  %1 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %0 : tensor<64xi8> -> tensor<64xi8>
  tt.return %1 : tensor<64xi8>
}

// CHECK-LABEL: @constants_alone
tt.func @constants_alone() -> tensor<8xf32> {
  %a = arith.constant dense<1.0> : tensor<8xf32>
  %b = arith.constant dense<0x7FC00000> : tensor<8xf32>
  // CHECK-NOT: tt.splat
  %0 = arith.maxnumf %a, %b : tensor<8xf32>
  tt.return %0 : tensor<8xf32>
}
