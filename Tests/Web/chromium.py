"""Drives Chromium by the DevTools protocol over a pipe: no package, no port, no network."""

import base64
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time

KEYS = {"Tab": 9, "Escape": 27, "End": 35, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "F8": 119, " ": 32}


class Chromium:
    """A browser with one tab."""

    def __init__(self):
        path = next((path for name in ["chromium", "google-chrome"] if (path := shutil.which(name))), "chromium")
        self.folder = tempfile.mkdtemp()
        pipes = os.pipe() + os.pipe()
        # Above 9, so that the shell's 3 and 4, which the protocol wants, are free.
        theirs = [fcntl.fcntl(pipe, fcntl.F_DUPFD, 10) for pipe in (pipes[0], pipes[3])]
        command = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.folder}",
                   "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {shlex.join(command)} 3<&{theirs[0]} 4>&{theirs[1]}"], pass_fds=theirs,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for pipe in (pipes[0], pipes[3], *theirs):
            os.close(pipe)
        self.output, self.input = os.fdopen(pipes[1], "wb", 0), os.fdopen(pipes[2], "rb")
        self.last, self.session, self.events, self.rest = 0, None, [], b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.rest:
            part = self.input.read1(1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def run(self, script):
        """The value of an expression, or of the promise that it is."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def until(self, script, seconds=30):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}")
            time.sleep(0.02)
        return value

    def open(self, address):
        # The same address with another fragment would not load again.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.until("performance.getEntriesByName('answered').length > 0")

    def type(self, text):
        """Types letters into what has the focus."""
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="char", text=letter)

    def press(self, key, modifiers=0):
        for kind in ["rawKeyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                      windowsVirtualKeyCode=KEYS[key], modifiers=modifiers)

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
