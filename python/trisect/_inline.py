"""Whole pages inside a notebook.

What: `framed` puts a page into a frame of its own, so that neither its styles nor its script touch the
notebook around it; objects that have a page give it to notebooks as `_repr_html_`.
"""

from html import escape


def framed(page: str, height: int = 640) -> str:
    """HTML that shows a page inside another one."""
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe srcdoc="{escape(page, quote=True)}" style="{style}"></iframe>'
