// RUN: split-file %s %t
// RUN: not trisect-cuda %t/output.ttir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not trisect-cuda %t/input.ttir 2>&1 | FileCheck %s --check-prefix=INPUT

// A constraint that says how an operand is used, but names no register, is refused by name.

// OUTPUT: output.ttir:3:8: {{.*}} the constraint '=', which names no register
//--- output.ttir
// The end of the text is not read as a register either.
tt.func public @named(%p: !tt.ptr<i32>) {
  %y = tt.elementwise_inline_asm "mov.b32 $0, 1;" {constraints = "=", packed_element = 1 : i32, pure = true} -> i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.return
}

// INPUT: input.ttir:2:8: {{.*}} the constraint '&', which names no register
//--- input.ttir
tt.func public @named(%p: !tt.ptr<i32>, %x: i32) {
  %y = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,&", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.return
}
