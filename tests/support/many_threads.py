"""A function that is called from many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import aplc


def own_results_and_errors(divide: aplc.Function, rounds: int) -> bool:
    """Whether `{⍺÷⍵}` gives each thread its own results, and errors to those alone that divide by zero."""

    def work(k: int) -> bool:
        divisor = np.full(1000, float(k % 2))
        for _ in range(rounds):
            try:
                found = divide(k, divisor)
                ok = k % 2 == 1 and np.array_equal(found, np.full(1000, float(k)))
            except aplc.RunError:
                ok = k % 2 == 0
            if not ok:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        return all(pool.map(work, range(1, 9)))
