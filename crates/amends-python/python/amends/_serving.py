"""Answers over HTTP until Ctrl-C."""

from __future__ import annotations

import webbrowser

from . import _amends


def serve(core: _amends.Fitted, options: str, port: int, open_page: bool) -> None:
    """Serves, and says where. Ctrl-C is the usual end, and no error."""

    def announce(address: str) -> None:
        print(f"amends is at {address}\nPress Ctrl-C to stop", flush=True)
        if open_page:
            webbrowser.open(address)

    try:
        core.serve(options, port, announce)
    except KeyboardInterrupt:
        print("stopped")
