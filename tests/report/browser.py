"""A headless Chromium, driven over the DevTools protocol through a pipe; the standard library is enough."""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"]


screenshots = None  # the folder of --screenshots


def arguments(usage, count):
    """The paths of the command line, so many; what is behind them is for unittest."""
    global screenshots
    words = sys.argv[1:]
    if "--screenshots" in words:
        at = words.index("--screenshots")
        screenshots = pathlib.Path(words[at + 1])
        del words[at:at + 2]
    if len(words) < count:
        sys.exit(usage)
    sys.argv[1:] = words[count:]
    return [pathlib.Path(word).resolve() for word in words[:count]]


def find():
    """The browser's program; without it tests are skipped."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise unittest.SkipTest("chromium is not installed (scripts/install installs it)")
    return program


def start(test_class, folder):
    """Gives the tests a browser, and a folder for screenshots unless --screenshots names one."""
    test_class.browser = Browser(find())
    test_class.addClassCleanup(test_class.browser.close)
    test_class.shots = screenshots or folder
    test_class.shots.mkdir(parents=True, exist_ok=True)


class Browser:
    """One page. `events` collects what it reported: errors, requests, dialogs."""

    def __init__(self, program, timeout=60):
        self.timeout, self.number, self.buffer, self.events, self.session = timeout, 0, b"", [], None
        self.profile = tempfile.mkdtemp(prefix="attest-browser-")
        their_input, self.to = os.pipe()
        self.back, their_output = os.pipe()
        # Beyond 3 and 4, the places where the browser expects its ends.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (their_input, their_output)]

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        env = dict(os.environ, HOME=self.profile)
        self.process = subprocess.Popen([program, *FLAGS, "--user-data-dir=" + self.profile + "/data", "about:blank"], preexec_fn=place,
                                        close_fds=False, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (their_input, their_output, *ends):
            os.close(end)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self.back, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if "method" in message:
            self.events.append(message)
        return message

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + self.timeout
        while True:
            message = self.receive(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(method + ": " + message["error"]["message"])
                return message["result"]

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + self.timeout
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.receive(deadline)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def eventually(self, expression, wanted):
        """Evaluates again until it is `wanted`, for as long as a slow machine may take; what it was at last."""
        deadline = time.monotonic() + self.timeout
        while (found := self.evaluate(expression)) != wanted and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def viewport(self, width, height, dark=False, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, file, whole=True, most=6000):
        """A PNG of the page, cut off after `most` pixels."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
        more = {"captureBeyondViewport": True, "clip": clip} if whole else {}
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])
        with open(file, "wb") as out:
            out.write(data)
        return data

    def pdf(self, file):
        data = base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])
        with open(file, "wb") as out:
            out.write(data)
        return data

    def problems(self):
        """Errors and warnings on the console, exceptions, dialogs."""
        found = []
        for e in self.events:
            method, p = e["method"], e.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + p["exceptionDetails"].get("text", ""))
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(p["entry"]["level"] + ": " + p["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append("console " + p["type"])
            elif method == "Page.javascriptDialogOpening":
                found.append("dialog: " + p["message"])
        return found

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)
