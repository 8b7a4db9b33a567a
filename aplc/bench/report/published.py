"""The published figures, in milliseconds: M. Dybdal's thesis (2017), FHPC 2016, and NESL on GPUs (2012).

A row says what the figures are of, and which row of the suite computes the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.bench.results import Size


@dataclass(frozen=True, slots=True)
class Published:
    """A row of a published table, and the row of the suite beside it."""

    label: str
    name: str
    size: Size
    figures: tuple[float | None, ...]
    """In the order of the table's columns; None: the publication has none."""


INTERPRETED = (
    Published("Primes", "primes, thesis", (10_000,), (1423, 3190)),
    Published("Easter", "easter, rounds", (300, 3000), (18259, 46)),
    Published("Black-Scholes", "black-scholes, thesis", (100_000,), (3086, 96)),
    Published("Sobol MC π", "sobol-pi", (10_000,), (12692, 14.5)),
    Published("Game of life", "life", (20_000, 40, 40), (1490, 969.77)),
)
"""Thesis 3.2: Dyalog 14.0, TAIL C."""

APPLICATIONS = (
    Published("Option pricer", "option-pricer", (1_048_576,), (57 * 60_000, 4587, 2267)),
    Published("HotSpot", "hotspot", (360, 512, 512), (14832, 3679, 2044)),
)
"""Thesis 3.3: Dyalog 14.0, TAIL C, C by hand."""

ARRAYS = (
    Published("Primes", "primes, thesis", (10_000,), (4243, 3190)),
    Published("Easter", "easter, rounds", (300, 3000), (129, 46)),
    Published("Black-Scholes", "black-scholes, thesis", (100_000,), (97, 96)),
    Published("Sobol MC π", "sobol-pi", (10_000,), (21, 14.5)),
    Published("Game of life", "life", (20_000, 40, 40), (1183, 970)),
    Published("Option pricer", "option-pricer", (1_048_576,), (4947, 4587)),
    Published("HotSpot", "hotspot", (360, 512, 512), (5238, 3679)),
)
"""Thesis 3.4: flat, hybrid."""

SPEED_UP = (
    Published("Option pricer", "option-pricer", (1_048_576,), ()),
    Published("HotSpot", "hotspot", (360, 512, 512), ()),
)
"""Thesis figure 3.10."""

ACCELERATE = (
    Published("Signal", "signal", (50_000_000,), (209.03, 16.1)),
    Published("Game of life", "life", (2000, 40, 40), (28.70, 2.30)),
    Published("Easter", "easter, rounds", (300, 3000), (33.96, None)),
    Published("Black-Scholes", "black-scholes", (10_000,), (54.0, None)),
    Published("Sobol MC π", "sobol-pi", (10_000_000,), (4881.30, 2430.30)),
    Published("HotSpot", "hotspot", (360, 1024, 1024), (6072.93, 2.03)),
)
"""Thesis 3.5: TAIL C, TAIL Accelerate on a GeForce GTX 780 Ti."""

FUTHARK = (
    Published("Integral", "integral", (10_000_000,), (244.9, 235.1, None, 0.27)),
    Published("Signal", "signal", (50_000_000,), (306.9, 712.20, 1.49, 1.49)),
    Published("Game of life", "life", (100, 1200, 1200), (847.7, 1274.03, 16.11, 16.1)),
    Published("Easter", "easter", (10_000_000,), (136.9, 321.80, 1.80, 1.80)),
    Published("Black-Scholes", "black-scholes", (10_000_000,), (5690, 5396.10, 9.13, 7.95)),
    Published("Sobol MC π", "sobol-pi", (10_000_000,), (145.0, 368.67, 23.68, 23.7)),
    Published("HotSpot", "hotspot", (360, 512, 512), (874.8, 1210.57, 16.84, 16.8)),
    Published("Mandelbrot", "mandelbrot, grid", (255, 1000), (1046, None, None, 1.52)),
)
"""FHPC 2016 and thesis 3.6: C by hand, TAIL C, TAIL Futhark (thesis), the best of the GPU (FHPC)."""

NESL = (
    Published("Dot product", "dot products", (1_000_000,), (27, 3.0, None, 12, 710)),
    Published("Sort", "segmented sort", (1_000_000, 1), (230, 259, 3.1, 2360, 230)),
    Published("Black-Scholes", "black-scholes", (10_000_000,), (8662, 163, 1.9, None, None)),
    Published("Convex hull", "quickhull", (5_000_000,), (1000, 283, 269, 807, None)),
)
"""Table 1 of L. Bergstrom and J. Reppy, Nested data-parallelism on the GPU (ICFP 2012): NESL on a CPU and on
a Tesla C2050, CUDA, Data Parallel Haskell on 8 cores, Copperhead on the GPU. CUDA's dot product took less
than 1 ms."""
