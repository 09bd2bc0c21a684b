"""Functions of the tt dialect, made through the builder."""

import pytest

from trisect import InvalidInput, ir


def build():
    context = ir.Context()
    builder = ir.Builder(context)
    module = builder.create_module()
    builder.set_loc("kernel.py", 7)
    f32 = context.float_type("f32")
    function = builder.create_function(
        module,
        "copy",
        [context.ptr_type(f32), context.int_type(32)],
        [],
        arg_attrs=[{"tt.divisibility": 16}, None],
        attrs={"noinline": False},
        arg_names=["source", "count"],
    )
    return context, builder, module, function


def test_a_kernel_is_built_printed_and_reparsed():
    context, builder, module, function = build()
    builder.set_insertion_point_to_end(function.entry)
    pointer, count = function.args
    block = context.tensor_type([8], context.int_type(32))
    lanes = builder.value("tt.make_range", [], block, {"start": 0, "end": 8})
    bound = builder.value("tt.splat", [count], block)
    mask = builder.value(
        "arith.cmpi", [lanes, bound], context.type("tensor<8xi1>"), {"predicate": context.i64_attr(2)}
    )
    pointers = builder.value("tt.splat", [pointer], context.tensor_type([8], pointer.type))
    pointers = builder.value("tt.addptr", [pointers, lanes], pointers.type)
    value = builder.value(
        "tt.load",
        [pointers, mask],
        context.tensor_type([8], context.float_type("f32")),
        {"operandSegmentSizes": [1, 1, 0], "cache": 1, "evict": 1, "isVolatile": False},
    )
    builder.op("tt.store", [pointers, value, mask], attrs={"cache": 1, "evict": 1})
    builder.op("tt.return")
    assert module.verify()
    text = str(module)
    assert 'tt.func public @copy(%source: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("source"' in text
    assert "attributes {noinline = false}" in text and "arith.cmpi slt" in text
    assert str(ir.parse(text)) == text
    assert [fn.name for fn in module.functions] == ["copy"] and module.has_function("copy")


def test_a_walk_meets_the_names_that_analyses_ask_for():
    _, builder, module, function = build()
    builder.set_insertion_point_to_end(function.entry)
    builder.op("tt.return")
    seen = {}
    module.walk(lambda op: seen.setdefault(op.get_name(), op))
    assert seen["tt.func"].get_str_attr("sym_name") == "copy"
    assert seen["tt.func"].get_bool_attr("noinline") is False
    assert seen["tt.return"].get_block().get_argument(0).id() == function.args[0].id()


def test_results_may_be_set_after_the_body():
    context, builder, module, _ = build()
    i32 = context.int_type(32)
    helper = builder.create_function(module, "one", [], [], visibility="private")
    builder.set_insertion_point_to_end(helper.entry)
    builder.op("tt.return", [builder.constant(i32, 1)])
    with pytest.raises(InvalidInput):
        helper.verify()
    helper.result_types = [i32]
    assert helper.verify() and helper.result_types == [i32]


def test_pointer_and_descriptor_types():
    context = ir.Context()
    f16 = context.float_type("f16")
    assert str(context.ptr_type(f16)) == "!tt.ptr<f16>" and str(context.ptr_type(f16, 3)) == "!tt.ptr<f16, 3>"
    assert context.ptr_type(f16).is_pointer and context.ptr_type(f16).element == f16
    descriptor = context.tensordesc_type([16, 8], context.int_type(8), "unsigned")
    assert str(descriptor) == "!tt.tensordesc<tensor<16x8xui8>>" and descriptor.shape == [16, 8]
    with pytest.raises(InvalidInput, match="signedness is 'signed' or 'unsigned', for an integer type"):
        context.tensordesc_type([16, 8], f16, "signed")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(name="copy"), "has a function 'copy' already"),
        (dict(name=""), "needs a name"),
        (dict(name="x", visibility="hidden"), "'public' or 'private'"),
        (dict(name="x", arg_names=["a"]), "one entry for each of the 0 arguments"),
    ],
)
def test_functions_that_make_no_sense_are_refused(arguments, message):
    _, builder, module, _ = build()
    with pytest.raises(InvalidInput, match=message):
        builder.create_function(module, arg_types=[], result_types=[], **arguments)
