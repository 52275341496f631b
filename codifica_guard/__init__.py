"""codifica-guard: enforce, on a shared Git repository, what agents and people agreed on about their tasks."""

__version__ = "0.1.0"
