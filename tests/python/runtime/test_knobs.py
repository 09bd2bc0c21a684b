"""Settings and their environment variables."""

import os

import pytest

from trisect import InvalidInput, knobs


def test_the_environment_is_read_at_each_access(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", "/first")
    assert knobs.cache.dir == "/first"
    monkeypatch.setenv("TRITON_CACHE_DIR", "/second")
    assert knobs.cache.dir == "/second"
    monkeypatch.delenv("TRITON_CACHE_DIR")
    monkeypatch.setenv("TRITON_HOME", "/home/of")
    assert knobs.cache.dir == "/home/of/.triton/cache" and knobs.cache.dump_dir == "/home/of/.triton/dump"


def test_an_assignment_wins_until_it_is_taken_back(monkeypatch):
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "0")
    knobs.compilation.always_compile = True
    assert knobs.compilation.always_compile is True and os.environ["TRITON_ALWAYS_COMPILE"] == "1"
    knobs.compilation.always_compile = knobs.env
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "0")
    assert knobs.compilation.always_compile is False


def test_assignments_need_not_reach_the_environment(monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
    knobs.propagate_env = False
    try:
        with knobs.language.scope():
            knobs.language.default_fp_fusion = False
            assert os.environ["TRITON_DEFAULT_FP_FUSION"] == "1" and not knobs.language.default_fp_fusion
    finally:
        knobs.propagate_env = True


def test_a_scope_restores(monkeypatch):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    with knobs.autotuning.scope():
        knobs.autotuning.print = False
        assert knobs.autotuning.print is False and os.environ["TRITON_PRINT_AUTOTUNING"] == "0"
    assert knobs.autotuning.print is True and os.environ["TRITON_PRINT_AUTOTUNING"] == "1"


@pytest.mark.parametrize(
    "text, value", [("1", True), ("on", True), ("TRUE", True), ("0", False), ("off", False), ("", False)]
)
def test_booleans(monkeypatch, text, value):
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", text)
    assert knobs.compilation.always_compile is value


@pytest.mark.parametrize(
    "variable, text, read, message",
    [
        ("TRITON_ALWAYS_COMPILE", "maybe", lambda: knobs.compilation.always_compile, "use 1, true, on, yes"),
        ("TRITON_REDIS_PORT", "x", lambda: knobs.redis.port, "TRITON_REDIS_PORT='x' is not an integer"),
        ("TRITON_CACHE_MANAGER", "json", lambda: knobs.cache.manager_class, "have the form MODULE:CLASS"),
        ("TRITON_CACHE_MANAGER", "json:loads", lambda: knobs.cache.manager_class, "subclass of CacheManager"),
        (
            "TRITON_CACHE_MANAGER",
            "no_such:X",
            lambda: knobs.cache.manager_class,
            "cannot load X from no_such",
        ),
    ],
)
def test_values_that_make_no_sense_are_refused(monkeypatch, variable, text, read, message):
    monkeypatch.setenv(variable, text)
    with pytest.raises(InvalidInput, match=message):
        read()


def test_groups_describe_copy_and_reset(monkeypatch):
    monkeypatch.setenv("TRITON_REDIS_PORT", "6379")
    group = knobs.redis.copy()
    group.port = 7
    assert knobs.redis.port == 7 and set(group.knob_descriptors) == {"key_format", "host", "port"} == set(
        group.knobs
    )
    monkeypatch.setenv("TRITON_REDIS_PORT", "6380")
    assert group.port == 7 and knobs.redis.port == 6380 and group.reset().port == 6380
    assert group.knob_descriptors["port"].key == "TRITON_REDIS_PORT"


def test_a_hook_chain_is_false_while_empty():
    chain, backwards, seen = knobs.HookChain(), knobs.HookChain(reversed=True), []
    assert not chain
    for hooks in (chain, backwards):
        for name in ("a", "b"):
            hooks.add(hook := lambda value, name=name: seen.append((name, value)))
            hooks.add(hook)
        hooks(1)
    assert chain and seen == [("a", 1), ("b", 1), ("b", 1), ("a", 1)]
    chain.remove(chain.calls[0])
    chain(2)
    assert seen[-1] == ("b", 2)


def test_a_missing_tool_says_how_to_name_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("CUDA_HOME", "/nowhere")
    with pytest.raises(RuntimeError, match="cannot find ptxas; set TRITON_PTXAS_PATH"):
        knobs.nvidia.ptxas  # noqa: B018


def test_cached_knobs_are_read_again_when_asked(monkeypatch):
    monkeypatch.setenv("TRITON_DEBUG", "1")
    assert knobs.runtime.debug is False
    knobs.refresh_knobs()
    assert knobs.runtime.debug is True
    monkeypatch.delenv("TRITON_DEBUG")
    knobs.refresh_knobs()
    assert knobs.runtime.debug is False
