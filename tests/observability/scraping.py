"""What a server shows at its port for metrics, read as Prometheus reads it."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

LONGEST_WAIT = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    text: str


def fetch(address: str, path: str) -> Answer:
    """Get a page; blocks."""
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=LONGEST_WAIT) as response:
            return Answer(response.status, response.read().decode())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.read().decode())


async def get(address: str | None, path: str) -> Answer:
    """Get a page while the loop goes on."""
    assert address is not None
    return await asyncio.to_thread(fetch, address, path)


@dataclass(frozen=True, slots=True)
class Scrape:
    """Every sample, by name and labels."""

    samples: Mapping[tuple[str, frozenset[tuple[str, str]]], float]
    types: Mapping[str, str]

    def value(self, name: str, **labels: str) -> float:
        """One of them."""
        return self.samples[name, frozenset(labels.items())]

    def sum(self, name: str) -> float:
        """All of a name together."""
        return sum(value for (found, _), value in self.samples.items() if found == name)

    @property
    def own(self) -> set[str]:
        """The names of the server's own metrics."""
        return {name for name in self.types if name.startswith("skat_")}


def read(text: str) -> Scrape:
    """What a page of metrics says."""
    families = list(text_string_to_metric_families(text))
    return Scrape(
        {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in families
            for sample in family.samples
        },
        {family.name: family.type for family in families},
    )


async def scrape(address: str | None) -> Scrape:
    """Read the metrics of a server."""
    answer = await get(address, "/metrics")
    assert answer.status == 200
    return read(answer.text)
