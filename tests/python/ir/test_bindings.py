"""The bindings of TTIR: what they build, and that wrong use raises and never ends the process."""

import pytest

from trisect import EngineError, InvalidInput, ir


@pytest.fixture
def made():
    """A builder in a module with two constants."""
    context = ir.Context()
    builder = ir.Builder(context)
    module = builder.create_module()
    builder.set_loc("kernel.py", 3, 4)
    tensor = context.tensor_type([8], context.int_type(32))
    left, right = builder.constant(tensor, 7), builder.constant(tensor, -1)
    return context, builder, module, tensor, left, right


def test_types_are_unique_and_readable():
    context = ir.Context()
    tensor = context.tensor_type([4, 8], context.float_type("bf16"))
    assert str(tensor) == "tensor<4x8xbf16>"
    assert tensor == context.type("tensor<4x8xbf16>") and hash(tensor) == hash(
        context.type("tensor<4x8xbf16>")
    )
    assert tensor.is_tensor and tensor.shape == [4, 8] and tensor.element == context.float_type("bf16")
    assert context.int_type(17).bit_width == 17 and not context.int_type(17).is_tensor


def test_module_prints_verifies_and_reparses(made):
    _, builder, module, tensor, left, right = made
    builder.value("arith.addi", [left, right], tensor).set_name("total")
    assert module.verify()
    text = str(module)
    assert "arith.constant dense<7>" in text and 'loc("total"' in text and 'loc("kernel.py":3:4)' in text
    assert "loc(" not in module.str(locations=False)
    assert str(ir.parse(text)) == text
    assert str(ir.parse(module.bytecode())) == text
    assert str(module.clone()) == text


def test_attributes_from_python_values(made):
    context, builder, module, tensor, left, right = made
    op = builder.op("arith.addi", [left, right], [tensor])
    values = {"flag": True, "count": 3, "scale": 0.5, "label": "x", "sizes": [1, 2], "unit": None}
    for name, value in values.items():
        op.set_attr(name, value)
    printed = {name: str(op.attr(name)) for name in values}
    assert printed == {
        "flag": "true",
        "count": "3 : i32",
        "scale": "5.000000e-01 : f64",
        "label": '"x"',
        "sizes": "array<i32: 1, 2>",
        "unit": "unit",
    }
    assert [op.attr(name).value for name in values] == [True, 3, 0.5, "x", [1, 2], None]
    assert op.get_bool_attr("flag") is True and op.get_str_attr("label") == "x"
    assert op.get_str_attr("flag") is None and op.get_bool_attr("absent") is None
    op.remove_attr("flag")
    assert op.attr("flag") is None
    with pytest.raises(TypeError, match="expected bool, int"):
        op.set_attr("bad", object())


def test_values_have_identity(made):
    _, builder, _, tensor, left, right = made
    op = builder.op("arith.addi", [left, right], [tensor])
    assert op.operand(0) == left and op.operand(0).id() == left.id() and hash(op.operand(1)) == hash(right)
    assert left != right and op.result.op == op and left.op.name == "arith.constant"


def test_walk_is_post_order_with_the_names_of_analyses():
    module = ir.parse(
        """module {
  %c = arith.constant true
  scf.if %c { %x = arith.constant 1 : i32 }
}"""
    )
    seen = []
    module.walk(lambda op: seen.append(op.get_name()))
    assert seen == ["arith.constant", "arith.constant", "scf.yield", "scf.if", "builtin.module"]
    branch = module.body.operations[1]
    assert branch.get_num_operands() == 1 and branch.get_num_regions() == 2 and branch.get_num_results() == 0
    block = branch.get_region(0).blocks[0]
    assert block.get_num_arguments() == 0 and block.get_parent().id() == branch.get_region(0).id()
    assert branch.get_operand(0).id() == module.body.operations[0].get_result(0).id()
    assert module.operation.get_block() is None and branch.get_block() == module.body


def test_walk_passes_on_what_the_callback_raises(made):
    def stop(op):
        raise KeyError(op.get_name())

    with pytest.raises(KeyError, match="arith.constant"):
        made[2].walk(stop)


def test_parse_error_has_position_and_caret():
    with pytest.raises(InvalidInput) as caught:
        ir.parse("module {\n  %0 = arith.addi %a, %b : i32\n}", "bad.ttir")
    error = caught.value
    assert (error.file, error.line) == ("bad.ttir", 2)
    assert str(error).startswith(f"bad.ttir:2:{error.column}: error: ")
    assert "\n    %0 = arith.addi %a, %b : i32\n" in str(error) and str(error).rstrip().endswith("^")


def test_verify_error_has_the_kernels_position(made):
    _, builder, module, tensor, left, _ = made
    builder.op("arith.addi", [left], [tensor])
    with pytest.raises(InvalidInput, match="expected 2 operands, but found 1") as caught:
        module.verify()
    assert (caught.value.file, caught.value.line, caught.value.column) == ("kernel.py", 3, 4)


def test_passes_run_and_end_older_handles(made):
    _, builder, module, tensor, left, right = made
    builder.value("arith.addi", [left, right], tensor)
    module.run_passes(["canonicalize", "cse"])
    assert "arith.addi" not in str(module)
    for stale in (
        lambda: left.type,
        lambda: builder.constant(tensor, 1),
        lambda: left.replace_all_uses_with(right),
    ):
        with pytest.raises(InvalidInput, match="passes have run"):
            stale()
    with pytest.raises(InvalidInput, match="not a pass pipeline: 'no-such-pass'"):
        module.run_passes("no-such-pass")


def test_erased_operations_stay_readable_and_unused(made):
    _, builder, module, tensor, left, right = made
    total = builder.value("arith.addi", [left, right], tensor)
    with pytest.raises(InvalidInput, match="'arith.addi' uses its result"):
        left.op.erase()
    total.op.erase()
    assert "arith.addi" not in str(module) and str(total.type) == "tensor<8xi32>"
    builder.value("arith.muli", [total, left], tensor)
    with pytest.raises(InvalidInput, match="was erased or never placed"):
        module.verify()
    with pytest.raises(InvalidInput, match="was erased or never placed"):
        module.bytecode()


def test_insertion_points(made):
    _, builder, module, tensor, left, right = made
    builder.set_insertion_point_before(right.op)
    between = builder.value("arith.addi", [left, left], tensor)
    saved = builder.insertion_point
    builder.set_insertion_point_to_start(module.body)
    first = builder.constant(tensor, 1)
    builder.insertion_point = saved
    second = builder.value("arith.addi", [first, between], tensor)
    assert [op.id() for op in module.body.operations] == [
        value.op.id() for value in (first, left, between, second, right)
    ]
    right.op.erase()
    with pytest.raises(InvalidInput, match="moved or erased"):
        builder.constant(tensor, 2)
    with pytest.raises(InvalidInput, match="no insertion point"):
        ir.Builder(made[0]).constant(tensor, 2)


def test_blocks_can_be_filled_first_and_placed_later(made):
    context, builder, module, tensor, left, right = made
    condition = builder.constant(context.int_type(1), 1)
    branch = builder.op("scf.if", [condition], [tensor], regions=2)
    for region, value in zip((branch.region(0), branch.region(1)), (left, right), strict=True):
        block = builder.create_block()
        assert block.parent is None
        builder.set_insertion_point_to_end(block)
        builder.op("scf.yield", [value])
        assert block.terminator.name == "scf.yield"
        region.append(block)
        assert block.parent == region and block.parent_op == branch
    assert module.verify()
    with pytest.raises(InvalidInput, match="moved into itself"):
        branch.move_to_end(branch.region(0).blocks[0])
    branch.region(0).blocks[0].erase()
    with pytest.raises(InvalidInput):
        module.verify()


@pytest.mark.parametrize(
    "act, message",
    [
        (lambda c, b, m, t, x, y: b.value("arith.nothing", [], t), "no operation is called 'arith.nothing'"),
        (lambda c, b, m, t, x, y: b.op("arith.addi", [x, y], [t]).region(0), "no region 0; there are 0"),
        (lambda c, b, m, t, x, y: x.op.operand(0), "no operand 0"),
        (lambda c, b, m, t, x, y: b.op("arith.addi", [x, y], [t, t]).result, "has 2 results, not one"),
        (lambda c, b, m, t, x, y: c.int_type(0), "no integer type has 0 bits"),
        (lambda c, b, m, t, x, y: c.float_type("i32"), "not a float type; expected f16"),
        (lambda c, b, m, t, x, y: c.type("tensor<"), "expected"),
        (lambda c, b, m, t, x, y: c.type("i32 i32"), "text goes on after i32"),
        (lambda c, b, m, t, x, y: c.tensor_type([-3], c.int_type(8)), "invalid tensor dimension"),
        (lambda c, b, m, t, x, y: b.constant(c.type("vector<2xf32>"), 1), "cannot have type|needs"),
        (lambda c, b, m, t, x, y: m.operation.erase(), "module itself"),
        (lambda c, b, m, t, x, y: m.body.erase(), "module's body"),
        (lambda c, b, m, t, x, y: x.set_attr("k", 1) or c.make_attr(1 << 40), "does not fit 32 bits"),
        (lambda c, b, m, t, x, y: b.set_loc_obj(ir.Context().unknown_loc()), "another context"),
        (lambda c, b, m, t, x, y: x.replace_all_uses_with(b.constant(c.int_type(8), 0)), "be replaced"),
    ],
)  # fmt: skip
def test_wrong_use_raises(made, act, message):
    with pytest.raises(InvalidInput, match=message):
        act(*made)


def test_values_of_another_module_are_refused(made):
    context, _, _, tensor, left, _ = made
    other = ir.Builder(context)
    other.create_module()
    with pytest.raises(InvalidInput, match="an operand belongs to another module"):
        other.value("arith.addi", [left, left], tensor)
    with pytest.raises(TypeError):
        other.value("arith.addi", [left, None], tensor)


def test_handles_keep_their_module_alive():
    def inner():
        context = ir.Context()
        builder = ir.Builder(context)
        builder.create_module()
        return builder.constant(context.int_type(32), 5)

    assert str(inner()).startswith("%c5_i32 = arith.constant 5 : i32")


def test_a_failing_pass_is_an_error_not_an_abort():
    module = ir.parse("module {\n%c = arith.constant true\nscf.if %c { }\n}")
    with pytest.raises((EngineError, InvalidInput)):
        module.run_passes("builtin.module(canonicalize{no-such-option=1})")
