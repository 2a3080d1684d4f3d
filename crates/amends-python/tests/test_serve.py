"""``explainer.serve``: it answers over HTTP, and Ctrl-C stops it."""

import json
import signal
import subprocess
import sys
import urllib.request

import pytest

SCRIPT = """
import sys
import amends
from sklearn.linear_model import LogisticRegression

data = amends.load_german()
columns = ["duration", "credit_amount", "installment_rate"]
X, y = data.X[columns], data.y
explainer = amends.Explainer(LogisticRegression().fit(X, y), desired_class="good").fit(X, y)
explainer.serve(port=0, open=False, rules="installment_rate stays", time_limit=5)
print("and after that")
"""


def test_it_answers_and_ctrl_c_stops_it():
    running = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    try:
        address = running.stdout.readline().removeprefix("amends is at ").strip()
        assert address.startswith("http://127.0.0.1:"), address
        assert running.stdout.readline() == "Press Ctrl-C to stop\n"

        def ask(path, body=None):
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(f"{address}api/v1/{path}", data, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)

        about = ask("about")
        assert about["features"] == 3 and about["time_limit"] == 5
        row = ask("applicants?decision=rejected&limit=1")["applicants"][0]["row"]
        before = ask(f"applicants/{row}")["application"]
        answer = ask("explain", {"row": row, "reasons": True})
        assert answer["status"] == "optimal"
        after = answer["plans"][0]["application"]
        assert after != before and after["installment_rate"] == before["installment_rate"]
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate(timeout=30)
        assert rest.splitlines() == ["stopped", "and after that"]
        assert running.returncode == 0
    finally:
        running.kill()


def test_a_port_that_is_none_is_refused(shared):
    for port in (-1, 65536, True, "8170"):
        with pytest.raises(ValueError, match="port must be a whole number"):
            shared.explainer.serve(port=port)
