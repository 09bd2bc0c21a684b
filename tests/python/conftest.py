"""A real browser for the tests of pages; a machine where none starts skips them and says why."""

import shutil
import time

import pytest

#: A start fails now and then on a machine under load; it is tried so often.
STARTS = 4
#: Without a sandbox (root has none), and with its shared memory in files: /dev/shm may be absent or small.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def started(webdriver, driver, chromium, size):
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--window-size={size}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService(driver))


@pytest.fixture(scope="module")
def open_page():
    """A function that shows a file in a browser of its own, closed at the end."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium here")
    from selenium.common.exceptions import WebDriverException

    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if not (driver and chromium):
        pytest.skip("no chromium with chromedriver here")
    sessions = []

    def open_in_browser(path, size):
        for left in reversed(range(STARTS)):
            try:
                session = started(webdriver, driver, chromium, size)
                break
            except WebDriverException as error:
                if not left:
                    pytest.skip(f"chromium does not start here: {error.msg.splitlines()[0]}")
                time.sleep(2)
        sessions.append(session)
        session.get(path.as_uri())
        return session

    yield open_in_browser
    for session in sessions:
        session.quit()
