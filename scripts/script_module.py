"""Lets scripts call the functions of other scripts, whose files have no suffix."""
import importlib.machinery
import importlib.util
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parent


def load_script(name):
    """Loads a script, such as generate/api, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.rsplit("/", 1)[-1], str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
