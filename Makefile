# Two commands do all the set-up on a machine that has Python 3 with venv: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: run test bench lint pins cameras clean
run: $(VENV)/.run
	$(BIN)/companion run

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench
	$(BIN)/python -m tests.bench

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[vision,backup]'
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.run

$(VENV)/.bench: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	touch $@

# A kernel with simulated pins and cameras, for the tests on real lines; without it they skip.
pins:
	tests/hardware/kernel/build.sh

# A tree with libcamera and picamera2, for the tests of cameras on that kernel; without it they skip. Needs root.
cameras: $(VENV)/.test pins
	PYTHON=$(abspath $(BIN))/python tests/vision/kernel/build.sh

clean:
	rm -rf $(VENV) build *.egg-info
