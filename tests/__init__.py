"""Tests of codifica-guard."""
