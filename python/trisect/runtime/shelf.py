"""Where the compiled forms of a kernel are kept.

What: the folder in which the cache manager has put the kernel's artefacts.
Limits: forms are not kept where another manager than the one of this package is in use.
"""

from __future__ import annotations

import os

from trisect import knobs

from .cache import FileCacheManager


def shelf_of(hash: str, metadata_group: dict[str, str]):
    """The shelf of a kernel with these artefacts; None if its forms are not kept."""
    from trisect._C import forms

    if knobs.cache.manager_class not in (None, FileCacheManager):
        return None
    return forms.folder_shelf(os.path.dirname(next(iter(metadata_group.values()))))
