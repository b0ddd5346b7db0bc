from refscore.compat.evaluate.hub import Meteor  # noqa: F401
