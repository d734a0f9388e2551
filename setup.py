"""The extension modules and what .ci/metadata.py makes; all else stands in pyproject.toml."""

import os
import runpy
import sys
import sysconfig
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

# One abi3 wheel serves every CPython from 3.11 on; free-threaded builds have no limited API.
LIMITED = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
# For tests: "address" (with undefined behaviour and bounds), "thread", "coverage" or "valgrind".
INSTRUMENT = os.environ.get("RANKGAIN_INSTRUMENT", "")
INSTRUMENTS = {
    "": [],
    "address": ["-fsanitize=address,undefined"],
    "thread": ["-fsanitize=thread"],
    "coverage": ["--coverage", "-fprofile-update=atomic"],
    "valgrind": [],
}[INSTRUMENT]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# No contraction to FMA: values must not depend on the instruction set. No strict aliasing: keys are
# read from the bits of floats.
if sys.platform == "win32":
    FLAGS = ["/O2", "/fp:precise"]
elif INSTRUMENT:
    FLAGS = ["-O1", "-g", "-ffp-contract=off", *INSTRUMENTS]
else:
    # Loops that touch every score take a tenth longer where they straddle cache lines.
    FLAGS = ["-O3", "-g0", "-falign-functions=64", "-ffp-contract=off", "-fno-strict-aliasing"]
    FLAGS += ["-Wno-unused-function"]  # headers of vectors hold more than one module needs

CORE = "src/rankgain/_core/"
SHARED = "rankgain._core._shared"  # what Cython's modules have in common, once


METADATA = runpy.run_path(os.path.join(os.path.dirname(__file__), ".ci", "metadata.py"))


class bdist_wheel_with_materials(bdist_wheel):
    def egg2dist(self, egginfo_path, distinfo_path):
        super().egg2dist(egginfo_path, distinfo_path)
        METADATA["write_materials"](distinfo_path)


def extension(name, source, depends=()):
    return Extension(
        name,
        [source],
        depends=list(depends),
        extra_compile_args=FLAGS,
        extra_link_args=INSTRUMENTS,
        libraries=[] if sys.platform == "win32" else ["m"],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        py_limited_api=LIMITED,
    )


headers = glob(CORE + "**/*.h", recursive=True)
modules = [
    extension(
        path[len("src/") : -len(".pyx")].replace(os.sep, ".").replace("/", "."), path, headers
    )
    for path in sorted(glob(CORE + "**/*.pyx", recursive=True))
]
assert modules, "no sources of the core"
modules.append(extension(SHARED, CORE + "_shared.c"))

setup(
    long_description=METADATA["long_description"](),
    long_description_content_type="text/markdown",
    project_urls=METADATA["URLS"],
    cmdclass={"bdist_wheel": bdist_wheel_with_materials},
    # Directives stand here: a header of a .pyx does not reach inline functions of .pxd files.
    ext_modules=cythonize(
        modules,
        nthreads=CORES if sys.platform == "linux" else 0,  # elsewhere it would start setup.py again
        shared_utility_qualified_name=SHARED,
        emit_linenums=INSTRUMENT == "coverage",
        compiler_directives={
            "language_level": 3,
            "boundscheck": INSTRUMENT == "address",
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "freethreading_compatible": True,
        },
    ),
    options={
        "build_ext": {"parallel": CORES},
        **({"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {}),
    },
)
