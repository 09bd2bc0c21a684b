// Values that loops carry, and results of branches, have one layout; what a loop takes from outside is converted
// before it.
// RUN: trisect-gpu --emit=layouts --kernel=carried %s | FileCheck %s --check-prefix=CARRIED
// RUN: trisect-gpu --emit=layouts --kernel=branches %s | FileCheck %s --check-prefix=BRANCHES

// CARRIED-LABEL: @carried
// CARRIED-NOT: tile.convert
// CARRIED: scf.for
// CARRIED-NOT: tile.convert
// CARRIED: tt.return
tt.func public @carried(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 512 : i32
  %steps = arith.constant dense<512> : tensor<512xi32>
  %none = arith.constant dense<0.0> : tensor<512xf32>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %first = tt.addptr %xs, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %sum:2 = scf.for %i = %zero to %n step %step iter_args(%total = %none, %at = %first)
      -> (tensor<512xf32>, tensor<512x!tt.ptr<f32>>) : i32 {
    %value = tt.load %at : tensor<512x!tt.ptr<f32>>
    %next = arith.addf %total, %value : tensor<512xf32>
    %following = tt.addptr %at, %steps : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    scf.yield %next, %following : tensor<512xf32>, tensor<512x!tt.ptr<f32>>
  }
  tt.store %first, %sum#0 : tensor<512x!tt.ptr<f32>>
  tt.return
}

// BRANCHES-LABEL: @branches
// BRANCHES-NOT: tile.convert
// BRANCHES: tt.return
tt.func public @branches(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %none = arith.constant dense<0.0> : tensor<512xf32>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %at = tt.addptr %xs, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %positive = arith.cmpi sgt, %n, %zero : i32
  %value = scf.if %positive -> tensor<512xf32> {
    %loaded = tt.load %at : tensor<512x!tt.ptr<f32>>
    scf.yield %loaded : tensor<512xf32>
  } else {
    scf.yield %none : tensor<512xf32>
  }
  %count, %last = scf.while (%i = %n, %v = %value) : (i32, tensor<512xf32>) -> (i32, tensor<512xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%more) %i, %v : i32, tensor<512xf32>
  } do {
  ^bb0(%i: i32, %v: tensor<512xf32>):
    %doubled = arith.addf %v, %v : tensor<512xf32>
    %less = arith.subi %i, %n : i32
    scf.yield %less, %doubled : i32, tensor<512xf32>
  }
  tt.store %at, %last : tensor<512x!tt.ptr<f32>>
  tt.return
}
