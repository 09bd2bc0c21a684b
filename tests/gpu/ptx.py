"""Hand-written PTX that the driver tests load, so that they need no code generator."""

#: out[i] = value + i for the first `count` elements; `spin` makes each block wait so many nanoseconds.
FILL = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 value, .param .u32 count, .param .u64 spin)
.reqntid 128
{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [value]; ld.param.u32 %r2, [count]; ld.param.u64 %rd2, [spin];
  mov.u64 %rd3, %globaltimer;
wait:
  mov.u64 %rd4, %globaltimer;
  sub.u64 %rd5, %rd4, %rd3;
  setp.lt.u64 %p1, %rd5, %rd2;
  @%p1 bra wait;
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r3, 128, %r4;
  setp.ge.u32 %p2, %r5, %r2;
  @%p2 ret;
  add.u32 %r6, %r1, %r5;
  mad.wide.u32 %rd6, %r5, 4, %rd1;
  st.global.u32 [%rd6], %r6;
  ret;
}
"""

#: Thread t writes t into shared memory, reads its neighbour's and stores it: out[t] = (t + 1) % 128, through
#: the far end of dynamic shared memory.
NEIGHBOUR = """
.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry neighbour(.param .u64 out, .param .u32 offset)
.reqntid 128
{
  .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [offset];
  mov.u32 %r2, %tid.x; mov.u32 %r3, memory;
  add.u32 %r3, %r3, %r1;
  mad.lo.u32 %r4, %r2, 4, %r3;
  st.shared.u32 [%r4], %r2;
  bar.sync 0;
  add.u32 %r5, %r2, 1; and.b32 %r5, %r5, 127;
  mad.lo.u32 %r6, %r5, 4, %r3;
  ld.shared.u32 %r7, [%r6];
  mad.wide.u32 %rd2, %r2, 4, %rd1;
  st.global.u32 [%rd2], %r7;
  ret;
}
"""
