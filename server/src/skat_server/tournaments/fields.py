"""Small finite fields, for the construction of schedules.

The elements of a field of pⁿ elements are the numbers 0 to pⁿ - 1, read in base p as the
coefficients of a polynomial, the lowest first.
"""

from itertools import product


def prime_power(number: int) -> tuple[int, int] | None:
    """The prime and the exponent of a prime power, None for any other number.

    >>> prime_power(16), prime_power(13), prime_power(12)
    ((2, 4), (13, 1), None)
    """
    prime = next((p for p in range(2, number + 1) if number % p == 0), None)
    if prime is None:
        return None
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return (prime, exponent) if number == 1 else None


class Field:
    """The field of pⁿ elements.

    >>> four = Field(2, 2)
    >>> four.multiply(2, 2), four.add(2, 3)
    (3, 1)
    """

    def __init__(self, prime: int, exponent: int) -> None:
        """Find a polynomial that does not factor, by trial."""
        self._prime = prime
        self._exponent = exponent
        self._modulus = _irreducible(prime, exponent)
        self.size = prime**exponent
        self.one = 1

    def add(self, x: int, y: int) -> int:
        """The sum."""
        return self._combine(x, y, 1)

    def subtract(self, x: int, y: int) -> int:
        """The difference."""
        return self._combine(x, y, -1)

    def multiply(self, x: int, y: int) -> int:
        """The product."""
        if self._exponent == 1:
            return x * y % self._prime
        raw = _product(self._coefficients(x), self._coefficients(y))
        reduced = _remainder([c % self._prime for c in raw], self._modulus, self._prime)
        return _number(reduced[: self._exponent], self._prime)

    def _combine(self, x: int, y: int, sign: int) -> int:
        if self._exponent == 1:
            return (x + sign * y) % self._prime
        pairs = zip(self._coefficients(x), self._coefficients(y), strict=True)
        return _number([(a + sign * b) % self._prime for a, b in pairs], self._prime)

    def _coefficients(self, x: int) -> list[int]:
        return _digits(x, self._prime, self._exponent)


def _digits(number: int, base: int, count: int) -> list[int]:
    digits = []
    for _ in range(count):
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits


def _number(digits: list[int], base: int) -> int:
    total = 0
    for digit in reversed(digits):
        total = total * base + digit
    return total


def _product(left: list[int], right: list[int]) -> list[int]:
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def _remainder(value: list[int], modulus: list[int], prime: int) -> list[int]:
    """What is left of a polynomial after division by one whose leading coefficient is 1."""
    rest, degree = list(value), len(modulus) - 1
    for top in range(len(rest) - 1, degree - 1, -1):
        factor = rest[top]
        for i, c in enumerate(modulus):
            rest[top - degree + i] = (rest[top - degree + i] - factor * c) % prime
    return rest[:degree] + [0] * max(0, degree - len(rest))


def _irreducible(prime: int, degree: int) -> list[int]:
    """A monic polynomial of this degree with no factor of half its degree or less."""
    if degree == 1:
        return [0, 1]
    smaller = [
        [*low, 1]
        for size in range(1, degree // 2 + 1)
        for low in product(range(prime), repeat=size)
    ]
    for low in product(range(prime), repeat=degree):
        candidate = [*low, 1]
        if all(any(_remainder(candidate, factor, prime)) for factor in smaller):
            return candidate
    raise AssertionError("there is one for every prime and degree")
