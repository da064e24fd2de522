"""Prints the paths of the ADBC driver libraries in this Python's environment, as JSON."""
import glob
import importlib.util
import json
import os
import sysconfig


def library(module, pattern):
    """The first file in or beside a package that matches the pattern."""
    found = importlib.util.find_spec(module)
    folder = os.path.dirname(found.origin) if found and found.origin else ""
    return next(iter(sorted(glob.glob(os.path.join(folder, pattern)))), None) if folder else None


def python():
    """Python's shared library, which DuckDB's wheel needs; a static Python has none."""
    name = sysconfig.get_config_var("INSTSONAME")
    folders = [sysconfig.get_config_var(key) for key in ("LIBDIR", "LIBPL")]
    multiarch = sysconfig.get_config_var("MULTIARCH")
    folders.append(f"/usr/lib/{multiarch}")
    places = [os.path.join(folder, name) for folder in folders if folder and name]
    return next((place for place in places if os.path.exists(place)), None)


print(json.dumps({
    "postgresql": library("adbc_driver_postgresql", "libadbc_driver_postgresql.*"),
    "spark": library("adbc_driver_spark", "libadbc_driver_spark.*"),
    "duckdb": library("duckdb", "../_duckdb*.so"),
    "python": python(),
}))
