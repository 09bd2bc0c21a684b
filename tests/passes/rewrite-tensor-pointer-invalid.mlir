// RUN: trisect-opt %s -split-input-file -triton-rewrite-tensor-pointer -verify-diagnostics

// What uses or makes a block pointer in a way of its own is named.

tt.func @unknown_use(%p: !tt.ptr<tensor<8xf16>>) {
  // expected-error @+1 {{cannot take apart its operand of type '!tt.ptr<tensor<8xf16>>'}}
  %0 = builtin.unrealized_conversion_cast %p : !tt.ptr<tensor<8xf16>> to i64
  tt.return
}

// -----

tt.func @unknown_source(%i: i64) -> tensor<8xf16> {
  // expected-error @+1 {{makes a value that cannot be taken apart}}
  %p = builtin.unrealized_conversion_cast %i : i64 to !tt.ptr<tensor<8xf16>>
  %0 = tt.load %p : !tt.ptr<tensor<8xf16>>
  tt.return %0 : tensor<8xf16>
}
