// Accesses to memory take vectors of 16 bytes where pointers, masks and the number of elements allow it.
// RUN: trisect-gpu --emit=layouts --kernel=add %s | FileCheck %s --check-prefix=ADD
// RUN: trisect-gpu --emit=layouts --kernel=widths %s | FileCheck %s --check-prefix=WIDTHS
// RUN: trisect-gpu --emit=layouts --kernel=columns %s | FileCheck %s --check-prefix=COLUMNS

// Ranges, masks and pointers are made in the layout of the access; nothing is converted.
// ADD: #layout = #tile.layout<"1024 reg 1 2 512 lane 4 8 16 32 64 warp 128 256">
// ADD-LABEL: @add
// ADD: tt.make_range {{.*}} : tensor<1024xi32, #layout>
// ADD-NOT: tile.convert
// ADD: tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #layout>
tt.func public @add(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32},
                    %n: i32 {tt.divisibility = 16 : i32}) {
  %size = arith.constant 1024 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %size : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  %at = arith.addi %starts, %range : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %at, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %value = tt.load %from, %mask : tensor<1024x!tt.ptr<f32>>
  %sum = arith.addf %value, %value : tensor<1024xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %to = tt.addptr %outs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %to, %sum, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// A load of f16 and a store of f32 of one shape share the wider vector: eight elements.
// WIDTHS: #layout = #tile.layout<"2048 reg 1 2 4 1024 lane 8
// WIDTHS-LABEL: @widths
// WIDTHS-NOT: tile.convert
// WIDTHS: tt.return
tt.func public @widths(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %range = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
  %from = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
  %value = tt.load %from : tensor<2048x!tt.ptr<f16>>
  %wide = arith.extf %value : tensor<2048xf16> to tensor<2048xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %to = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  tt.store %to, %wide : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// Read along rows, written along columns: each access has its own layout, with one conversion between them.
// COLUMNS-DAG: #[[ROWS:.*]] = #tile.layout<"64x64 reg 0,1 0,2 {{.*}} lane 0,4 0,8 0,16 0,32 1,0 warp 2,0
// COLUMNS-DAG: #[[COLUMNS:.*]] = #tile.layout<"64x64 reg 1,0 2,0 {{.*}} lane 4,0 8,0 16,0 32,0 0,1 warp 0,2
// COLUMNS-LABEL: @columns
// COLUMNS: %[[VALUE:.*]] = tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[ROWS]]>
// COLUMNS: %[[TURNED:.*]] = tile.convert %[[VALUE]] : tensor<64x64xf32, #[[ROWS]]> -> tensor<64x64xf32, #[[COLUMNS]]>
// COLUMNS-NOT: tile.convert
// COLUMNS: tt.store %{{.*}}, %[[TURNED]] : tensor<64x64x!tt.ptr<f32>, #[[COLUMNS]]>
tt.func public @columns(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %turnedStride = arith.constant dense<64> : tensor<1x64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rowStarts = arith.muli %rows, %stride : tensor<64x1xi32>
  %rowStarts2 = tt.broadcast %rowStarts : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns2 = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rowStarts2, %columns2 : tensor<64x64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %value = tt.load %from : tensor<64x64x!tt.ptr<f32>>
  %columnStarts = arith.muli %columns, %turnedStride : tensor<1x64xi32>
  %columnStarts2 = tt.broadcast %columnStarts : tensor<1x64xi32> -> tensor<64x64xi32>
  %rows2 = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %turned = arith.addi %columnStarts2, %rows2 : tensor<64x64xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %turned : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %to, %value : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
