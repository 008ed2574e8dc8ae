"""Counts a package's floors: the longest chain of imports between its folders, each importing the next.

`python -m tests.tools.floors [PACKAGE]` prints the chain of the current checkout, from the top floor down.
"""

from __future__ import annotations

import argparse
from functools import cache

import grimp


def floors(package: str) -> tuple[str, ...]:
    """Return the folders of the longest chain, without files beside the folders; an import cycle would never end."""
    graph = grimp.build_graph(package)
    folders = sorted(name for name in graph.find_children(package) if graph.find_children(name))
    for name in folders:
        graph.squash_module(name)

    @cache
    def below(name: str) -> tuple[str, ...]:
        imported = graph.find_modules_directly_imported_by(name) & set(folders) - {name}
        return max([(name, *below(other)) for other in sorted(imported)], key=len, default=(name,))

    return max([below(name) for name in folders], key=len)


def main() -> None:
    """Print the chain and its length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", nargs="?", default="companion")
    chain = floors(parser.parse_args().package)
    print(f"{len(chain)} floors: {' > '.join(name.rpartition('.')[2] for name in chain)}")


if __name__ == "__main__":
    main()
