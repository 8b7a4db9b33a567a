"""A browser in tests: Chromium by WebDriver's protocol, without a library for it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-component-update", "--disable-background-networking", "--disable-dev-shm-usage",
)  # fmt: skip
LACKING = "" if shutil.which("chromedriver") else "NOT CHECKED in a browser: there is no chromedriver"
CONTROL = "\ue009"


class Browser:
    """A page, and what one does with it."""

    def __init__(self, directory: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={port}"],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(directory)},
        )
        self.base = f"http://127.0.0.1:{port}"
        self.until(self._is_ready)
        options = {"args": [*ARGUMENTS, f"--user-data-dir={directory}/profile"]}
        always = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": always}})
        self.base += f"/session/{made['sessionId']}"

    def resize(self, width: int, height: int) -> None:
        """The room that pages have."""
        room = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": room})

    def _is_ready(self) -> bool:
        try:
            return bool(self._ask("GET", "/status")["ready"])
        except OSError:
            return False

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as wrong:
            raise AssertionError(wrong.read().decode()) from None

    def go(self, address: str) -> None:
        """Open a page, and wait until all of it is there."""
        self._ask("POST", "/url", {"url": address})
        self.until(
            lambda: self.js("return location.href != 'about:blank' && document.readyState == 'complete'")
        )

    def js(self, script: str, *arguments: Any) -> Any:
        """What a script gives."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": arguments})

    def find(self, selector: str) -> str:
        """An element, by CSS."""
        found: str = self._ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        return found

    def click(self, selector: str) -> None:
        """Click on an element."""
        self._ask("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, text: str) -> None:
        """Press keys, where the focus is; Control is held from where it stands in the text."""
        keys = [
            {"type": kind, "value": key} for key in text if key != CONTROL for kind in ("keyDown", "keyUp")
        ]
        if text.startswith(CONTROL):
            keys = [{"type": "keyDown", "value": CONTROL}, *keys, {"type": "keyUp", "value": CONTROL}]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def text(self, selector: str) -> str:
        """The text of an element."""
        told: str = self.js("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return told

    def until(self, check: Callable[[], Any], seconds: float = 60) -> Any:
        """What a check gives when it gives anything."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := check():
                return found
            time.sleep(0.05)
        raise AssertionError("it does not come to be")

    def errors(self) -> list[str]:
        """What the page complained about."""
        entries = self._ask("POST", "/se/log", {"type": "browser"})
        return [each["message"] for each in entries if each["level"] in ("SEVERE", "WARNING")]

    def printed(self) -> bytes:
        """The page on paper, as PDF."""
        asked = {"cmd": "Page.printToPDF", "params": {"preferCSSPageSize": True}}
        return base64.b64decode(self._ask("POST", "/goog/cdp/execute", asked)["data"])

    def picture(self, path: Path) -> None:
        """Write what the page looks like."""
        path.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            self._ask("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()
