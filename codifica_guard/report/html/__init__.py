"""The audit as a page that anybody can open: HTML without a script, without a network, the same bytes for the same audit."""

from codifica_guard.report.html.page import page, pages

__all__ = ["page", "pages"]
