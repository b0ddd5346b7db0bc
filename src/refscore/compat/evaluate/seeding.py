"""NumPy's global generator, seeded for as long as a module computes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np


def seed_of(seed: int | None) -> Any:
    """The seed of a module: the one given, or one out of the generator's state.

    >>> seed_of(3)
    3
    """
    if seed is not None:
        return seed
    state: Any = np.random.get_state()
    numbers, place = state[1], state[2]
    return numbers[place] if place < len(numbers) else numbers[0]


def seeding(module: str, seed: Any) -> AbstractContextManager[None]:
    """What a module is computed within: with its seed if it draws samples, which one does.

    >>> with seeding("bleu", 1):
    ...     pass
    """
    return seeded(seed) if module == "rouge" else nullcontext()


@contextmanager
def seeded(seed: Any) -> Iterator[None]:
    """Within it the generator runs from a seed; afterwards it goes on where it was.

    >>> import numpy as np
    >>> with seeded(1):
    ...     first = np.random.random()
    >>> with seeded(1):
    ...     print(np.random.random() == first)
    True
    """
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)
