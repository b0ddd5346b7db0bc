from refscore._native import TextRewriter, have_other_spaces

__all__ = ["TextRewriter", "have_other_spaces"]
