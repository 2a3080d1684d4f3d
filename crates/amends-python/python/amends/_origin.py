"""Where answers come from: what a page says at its foot, and ``to_dict`` of every answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Origin:
    """What all answers of a call have in common."""

    #: What the core needs to draw them, as JSON.
    context: str
    #: ``settings``, ``fit`` and ``provenance``, as on the command line.
    facts: dict[str, Any]

    @classmethod
    def read(cls, text: str) -> Origin:
        """From the core's JSON."""
        return cls(**json.loads(text))
