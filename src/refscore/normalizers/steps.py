from refscore._native import TextRewriter, TextStep, have_other_spaces

__all__ = ["TextRewriter", "TextStep", "have_other_spaces"]
