"""What is said about the package in different places agrees, and the build keeps its promises."""

import ast
import importlib.metadata
import importlib.resources
import inspect
import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import typing
from types import SimpleNamespace

import pytest

import rankgain
import reference
from places import ROOT
from rankgain.convention import get_convention
from rankgain.convention.options import NAME_ONLY, SETTINGS
from rankgain.engine.columns import ARRAYS
from rankgain.engine.settings import defaults
from rankgain.measures import functions as metrics
from rankgain.measures.families import FAMILIES

SOURCES = ROOT / "src" / "rankgain"


def typed_names():
    """The public names that type checkers see."""
    stub = ast.parse((SOURCES / "__init__.pyi").read_text(encoding="utf-8"))
    imported = [
        name.name for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names
    ]
    return {*imported, *metrics.__all__} - {"*", "metrics"}


MEASURES = sorted(metrics.__all__)
PUBLIC = sorted(typed_names())


def run_python(code: str) -> str:
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def readme_fence(heading: str) -> list[str]:
    """The lines of the first fence under a heading of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return section.split("```")[1].splitlines()[1:]


# Names


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_has_one_name_in_package_and_oracle(name):
    assert getattr(rankgain, name) is getattr(metrics, name)
    assert name in PUBLIC
    assert callable(getattr(reference, name))


def test_all_names_what_is_public():
    assert sorted(rankgain.__all__) == PUBLIC
    assert all(hasattr(rankgain, name) for name in PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_public_has_a_docstring(name):
    member = getattr(rankgain, name)
    if inspect.isclass(member) or inspect.isfunction(member):
        assert inspect.getdoc(member)


# Metadata


def test_the_version_stands_in_one_place():
    assert rankgain.__version__ == importlib.metadata.version("rankgain")


def test_numpy_is_the_only_requirement():
    required = importlib.metadata.requires("rankgain") or []
    assert [line for line in required if "extra ==" not in line] == ["numpy>=2"]


def test_an_extra_exists_where_code_needs_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    ours = {"unit", "test", "check", "bench", "peers", "docs"}  # for who works on the package
    extras = {k: v for k, v in project["optional-dependencies"].items() if k not in ours}
    adapters = {path.stem.replace("_", "-") for path in (SOURCES / "integrations").glob("*.py")}
    adapters -= {"--init--", "hosts", "mteb", "pytrec-eval"}
    hosts = {name: extras.pop(name) for name in adapters}
    assert all(hosts.values())
    assert extras.keys() == set("frames cli zstd arrow plot report spark sql stats".split())
    for package in (one for packages in extras.values() for one in packages):
        name = package.partition(">")[0]
        used = rf"^ *(import|from) {name}\b|import_module.*\"{name}\"|\"{name}\""
        assert re.search(used, code, re.MULTILINE), package


def test_types_are_published():
    files = importlib.resources.files("rankgain")
    assert (files / "py.typed").is_file()
    assert (files / "_core" / "__init__.pyi").is_file()


def test_the_readme_gives_each_command_in_one_line():
    assert len(readme_fence("Run it")) == 1
    assert len(readme_fence("Test it")) == 1
    assert '.venv/bin/pip install ".[test]"' in readme_fence("Test it")[0]


# Import


def test_importing_loads_numpy_and_nothing_else_from_outside():
    code = (
        "import json, sys, numpy; before = set(sys.modules); import rankgain;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    loaded = json.loads(run_python(code))
    outside = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    outside -= {name for name in outside if name.startswith(("_cython", "cython_runtime"))}
    assert outside <= {"rankgain", "numpy"}  # numpy loads its own parts late
    slow = {"argparse", "asyncio", "importlib.metadata", "multiprocessing", "rankgain.cli"}
    assert slow.isdisjoint(loaded)


def test_a_name_is_imported_when_it_is_asked_for():
    code = "import sys, rankgain; print([name for name in sys.modules if 'rankgain.' in name])"
    assert run_python(code).strip() == "[]"


@pytest.mark.slow
def test_every_module_can_be_imported_first():
    paths = [path.relative_to(SOURCES).with_suffix("").parts for path in SOURCES.rglob("*.py")]
    modules = [".".join(parts) for parts in paths if parts[-1] != "__init__"]
    # The adapters import their hosts; tests/integrations imports each.
    modules = [name for name in modules if not name.startswith("integrations.")]
    code = f"""
import importlib, sys
for module in {modules!r}:
    for name in list(sys.modules):
        if name.startswith("rankgain") and "_core" not in name:
            del sys.modules[name]
    importlib.import_module(f"rankgain.{{module}}")
"""
    run_python(code)


def test_no_module_is_called_as_a_public_name():
    # Importing it would put the module in the name's place.
    modules = {path.stem for path in SOURCES.iterdir()}
    assert modules.isdisjoint(rankgain.__all__)


@pytest.mark.parametrize("name", ["dask", "plot", "ray", "spark"])
def test_a_module_that_was_not_imported_says_how(name):
    code = f"try: import rankgain; rankgain.{name}\nexcept AttributeError as error: print(error)"
    words = f"module 'rankgain' has no attribute '{name}'; import it first: from rankgain import "
    assert run_python(code) == f"{words}{name}\n"


def shown(name):
    return str(inspect.signature(getattr(rankgain, name)))


@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in ("Measure", "Convention")])
def test_signatures_show_values_and_help_explains_each_argument(name):
    member = getattr(rankgain, name)
    if not inspect.isfunction(member):
        return
    assert "UNSET" not in shown(name)
    assert "<convention>" not in shown(name)
    if name in MEASURES:
        entries = re.findall(r"^(\w+) : ", inspect.getdoc(member), re.MULTILINE)
        assert entries == list(inspect.signature(member).parameters)


ONE = {"q": {"a": 1}}
CALLS = {
    "evaluate": lambda **options: rankgain.evaluate(ONE, ONE, "AP", **options),
    "evaluate_arrays": lambda **options: rankgain.evaluate_arrays([1], [1], "AP", **options),
    "evaluate_ids": lambda **options: rankgain.evaluate_ids([1], [1], "AP", **options),
    "evaluate_frame": lambda **options: rankgain.evaluate_frame("x.csv", "AP", **options),
    "evaluate_batches": lambda **options: rankgain.evaluate_batches(
        [], "AP", query="q", label="label", score="score", **options
    ),
    "evaluate_counts": lambda **options: rankgain.evaluate_counts([], "AP", **options),
    "evaluate_scores": lambda **options: rankgain.evaluate_scores(min, [[0]], "AP", **options),
    "evaluate_factors": lambda **options: rankgain.evaluate_factors(
        [[1]], [[1]], [[0]], "AP", **options
    ),
    "finish": lambda **options: rankgain.PartialRanks([], [], []).finish("AP", **options),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_option_that_an_evaluation_lacks_is_refused(name):
    """Options reach these functions by one TypedDict, and its names are the settings."""
    member = getattr(rankgain, name, rankgain.PartialRanks.finish)
    lacks = {"evaluate_ids": ["ties", "seed"], "evaluate_counts": ["seed"], "finish": ["seed"]}
    options = [one for one in SETTINGS if one in inspect.signature(member).parameters]
    assert options == [one for one in SETTINGS if one not in lacks.get(name, [])]
    for wrong in ["gains", "settings", *lacks.get(name, [])]:
        message = rf"^{name}\(\) got an unexpected keyword argument '{wrong}'(; did you mean .*)?$"
        if (name, wrong) == ("evaluate_ids", "gains"):
            continue  # it has this one
        with pytest.raises(TypeError, match=message):
            CALLS[name](**{wrong: 1})


@pytest.mark.parametrize("name", MEASURES)
def test_types_have_the_arguments_of_the_function(name):
    """Each overload that type checkers know takes the arguments of the function and no other."""
    types = importlib.import_module("rankgain.measures.types")
    protocol = rankgain.measures.functions.__annotations__[name]
    call = SimpleNamespace(__module__=types.__name__, __qualname__=f"{protocol}.__call__")
    forms = typing.get_overloads(call)
    assert len(forms) >= 4
    for form in forms:
        parameters = inspect.signature(form, eval_str=True).parameters
        (unpacked,) = typing.get_args(parameters["options"].annotation)
        options = set(typing.get_origin(unpacked).__annotations__)
        assert not options & set(parameters)
        assert set(parameters) - {"self", "options"} | options == set(
            inspect.signature(getattr(rankgain, name)).parameters
        )


@pytest.mark.parametrize("name", MEASURES)
def test_a_signature_has_the_defaults_of_the_convention(name):
    signature = inspect.signature(getattr(rankgain, name))
    assert inspect.unwrap(getattr(rankgain, name)).__name__ == name
    family, values = FAMILIES[name], defaults(get_convention("rankgain"), FAMILIES[name])
    values |= dict.fromkeys(ARRAYS) | {"threads": 1}
    assert signature.parameters["y_score"].default is None
    named = [one for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
    assert repr({one.name: one.default for one in named}) == repr(
        {one.name: values[one.name] for one in named}
    )
    assert set(family.params) - set(NAME_ONLY) <= {one.name for one in named}


def test_words_of_the_types_are_those_that_hold():
    from rankgain.convention.options import DIVISOR_WORDS, TIES
    from rankgain.measures.types import Divisor, Ties

    assert typing.get_args(Ties) == TIES
    assert set(typing.get_args(Divisor)) == set(DIVISOR_WORDS)


# The example


def test_the_example_comes_from_its_script(tmp_path):
    runpy.run_path(str(ROOT / "examples" / "make_example.py"))["main"](tmp_path)
    for name in ("qrels.txt", "run-a.txt", "run-b.txt", "scores.csv"):
        shipped = (ROOT / "examples" / name).read_bytes().replace(b"\r\n", b"\n")
        assert (tmp_path / name).read_bytes() == shipped


def test_the_readme_command_prints_the_means_of_the_example():
    # The means were computed with pytrec_eval-terrier, the missing query of run-b counted 0.
    arguments = readme_fence("Run it")[0].split("bin/rankgain ")[1].split()
    code = "import sys; from rankgain.cli import main; sys.exit(main())"
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for mean in ("0.6165", "0.4199", "0.8542", "0.3609", "0.2561", "0.8333"):
        assert mean in done.stdout


# The compiled core


def unguarded(source: str) -> list[str]:
    """The functions of a .pxd file that may raise or need the interpreter.

    What runs once, when a module is loaded, is left out: words of enums and keys of hashes.
    """
    bare = re.sub(r"#.*", "", source)
    kernel = r"^cdef (?!extern|struct|enum|packed|inline dict words_of_|inline void fill_hash_keys)"
    functions = re.findall(kernel + r"[^(:=]*\([^:]*", bare, re.MULTILINE)
    signatures = [" ".join(function.split()) for function in functions]
    return [signature for signature in signatures if not signature.endswith("noexcept nogil")]


def test_a_function_that_may_raise_is_noticed():
    good = "cdef inline int one(int a,\n        int b) noexcept nogil:  # (why)\n    return a\n"
    assert unguarded(good) == []
    assert unguarded("cdef struct Block:\n    int start\n" + good) == []
    for tail in ("nogil", "noexcept", "except -1 nogil", ""):
        assert len(unguarded(good + f"cdef inline int two(int a) {tail}:\n    return a\n")) == 1


DRIVERS = {path.with_suffix(".pxd") for path in SOURCES.rglob("*.pyx")}  # these hold classes
KERNELS = sorted(set(SOURCES.rglob("*.pxd")) - DRIVERS)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_kernel_is_noexcept_nogil(path):
    assert unguarded(path.read_text(encoding="utf-8")) == []


def test_no_source_gives_its_own_directives():
    for path in [*SOURCES.rglob("*.pyx"), *SOURCES.rglob("*.pxd")]:
        assert "# cython:" not in path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def generated_c(tmp_path_factory):
    """The C that Cython makes of each module of the core with the directives of setup.py."""
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    copy = tmp_path_factory.mktemp("core")
    for name in ("setup.py", "pyproject.toml", "README.md", ".ci/metadata.py"):
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    shutil.copytree(
        SOURCES, copy / "src" / "rankgain", ignore=shutil.ignore_patterns("*.c", "*.so")
    )
    subprocess.run([sys.executable, "setup.py", "--quiet", "--name"], cwd=copy, check=True)
    made = {path.stem: path.read_text("utf-8") for path in copy.rglob("*.c")}
    assert made.pop("_shared", None), "what modules share is made too"
    assert made.keys() == {path.stem for path in SOURCES.rglob("*.pyx")}
    return made


@pytest.mark.slow
def test_the_generated_c_has_no_hidden_division_check(generated_c):
    # Index 0 is our source; Cython's own memoryview class (index 1) checks its divisions.
    for name, text in generated_c.items():
        assert "float division" not in text, name
        checks = text.split("integer division or modulo by zero")[1:]
        assert [check for check in checks if "__PYX_ERR(0" in check[:120]] == [], name


@pytest.mark.slow
def test_no_kernel_hides_an_error(generated_c):
    # Where a noexcept function of a .pxd could raise, Cython would print the error and go on.
    for name, text in generated_c.items():
        hidden = re.findall(r'__Pyx_WriteUnraisable\("(rankgain\.\S+)"', text)
        assert [one for one in hidden if f".{name}." not in one] == [], name
