"""Sphinx' settings. `python -m sphinx -nW docs build/docs` writes the site."""

import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which

sys.path.insert(0, str(Path(__file__).parent))  # site_pages.py

import rankgain

project = "rankgain"
author = "the rankgain developers"
copyright = author
version = release = rankgain.__version__
extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "site_pages",
]
exclude_patterns = ["_static", "_templates", "made/extra"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
if not (find_spec("pyspark") and which("java")):
    nb_execution_excludepatterns = ["**/spark.ipynb"]  # shown as it is
nb_merge_streams = True

autodoc_typehints = "none"
autodoc_class_signature = "separated"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
numpydoc_validation_checks: set[str] = set()

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"rankgain {version}"
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_search_summary = False  # fetched, which browsers refuse to pages of file://
html_copy_source = False
html_theme_options = {
    "logo": {"text": "rankgain"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navbar_end": ["theme-switcher", "version"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["last-updated"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {page: [] for page in ("index", "gallery/index", "trust", "versions")}
