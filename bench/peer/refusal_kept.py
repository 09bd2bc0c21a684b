"""Rows of the comparison of refusals that stay otherwise than with upstream, each with its reason."""

_AT_COMPILE_TIME = (
    "known at compile time: the module that it makes is one that upstream makes of plainer text"
)
_NO_LINE = "upstream's module does not verify, or its compiler aborts; ours names the line"
_TARGET = "a rule of one target: this one has it"

#: Why a row stays as it is.
KEPT = {
    "chain": "two comparisons joined by `and`, as Python has it",
    "lambda_in_kernel": _AT_COMPILE_TIME,
    "generator_expression": _AT_COMPILE_TIME,
    "dict_literal": _AT_COMPILE_TIME,
    "walrus": _AT_COMPILE_TIME,
    "star_keywords": _AT_COMPILE_TIME,
    "chained_assignment": _AT_COMPILE_TIME,
    "loop_over_tuple": _AT_COMPILE_TIME,
    "loop_over_enumerate": _AT_COMPILE_TIME,
    "call_plain_python_constant": _AT_COMPILE_TIME + "; a change of the function is noticed",
    "with_statement": "both refuse; upstream by an AttributeError of its own",
    "unpack_many": "a value would be dropped without a word",
    "assert_false": "an assertion that is false whatever the arguments are",
    "loop_zero_step": "a loop without an end",
    "zeros_zero": "a block of nothing is refused where it is made",
    "return_in_loop": "names the return, upstream the loop",
    "return_in_called_loop": "names the return, upstream the loop",
    "advance_rank": "an offset for each dimension, or the pointer is left where it was in some",
    "atomic_and_float": "no target has it",
    "cat_order": "later releases take it",
    "flip_matrix": "the last dimension is the default of the signature",
    "flip_one": "the last dimension is the default of the signature",
    "sum_scalar": "a scalar is the sum of itself",
    "scan_scalar": "a scalar is the sum of itself",
    "argmax_none": "the index in the block as one line, as the sum over all dimensions",
    **dict.fromkeys(("fp8_foreign", "fp8_foreign_wide", "fp8_in_block", "dot_fp8_foreign"), _TARGET),
    **dict.fromkeys(("dot_small", "dot_small_integer"), _TARGET),
    **dict.fromkeys(
        (
            "return_in_while", "while_block", "index_beyond", "join_types", "cat_types", "fma_integer",
            "load_mask_number", "advance_pointer", "atomic_mask", "atomic_cas_types", "dot_out_integer",
            "assume_block",
        ),
        _NO_LINE,
    ),
}  # fmt: skip
