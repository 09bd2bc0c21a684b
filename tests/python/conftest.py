"""What all tests share: a cache of their own, no difference that nobody expects, a real browser for pages.

A comparison gives the caller what tier 0 computed, so a test that looks at results alone would pass with
wrong compiled code. Each difference leaves a bundle; a test that means to make one sets TRISECT_BUNDLES
itself. A machine where no browser starts skips the tests of pages and says why.
"""

import shutil
import signal
import time

import pytest

#: A start fails now and then on a machine under load; it is tried so often.
STARTS = 4
#: Without a sandbox (root has none), and with its shared memory in files: /dev/shm may be absent or small.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


@pytest.fixture(autouse=True, scope="session")
def cache_of_this_run(tmp_path_factory):
    """Kernels are compiled and compared, not found in the cache of an earlier run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def interrupts_arrive():
    """A shell starts what runs in its background with SIGINT ignored; tests would wait for it for ever."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def unexpected_bundles(tmp_path_factory):
    return tmp_path_factory.mktemp("differences")


@pytest.fixture(autouse=True)
def no_hidden_difference(unexpected_bundles, monkeypatch):
    monkeypatch.setenv("TRISECT_BUNDLES", str(unexpected_bundles))
    yield
    told = []
    for bundle in unexpected_bundles.iterdir():
        report = bundle / "report.txt"
        told.append(report.read_text() if report.exists() else bundle.name)
        shutil.rmtree(bundle)
    assert not told, "compiled code differed and tier 0 stood in for it:\n" + "\n".join(told)


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
