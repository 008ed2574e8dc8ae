# On a machine that has Python 3 with venv, `make run` and `make test` do the whole set-up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FIGURES ?= results/whole-games.jsonl
PLAY ?=
GAMES ?= 0
NODES ?= 1

# Tests start hundreds of processes, so Python must keep its compiled files even if the environment forbids it.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run hall test card-art browsers pixels bench follow whole-games soak lint faults fuzz pins kernel cameras systemd install-test
.PHONY: deb release clean
run: $(VENV)/.run
	$(BIN)/companion run

# Run a hall with ten tables that play by themselves over mosquitto. NODES=3 uses a NATS cluster of three nodes instead,
# which you may kill.
hall: $(VENV)/.test
	$(if $(filter 3,$(NODES)),$(BIN)/python -m tests.tools.hall_nodes,$(BIN)/companion hall --demonstration 10)

# Run three processes on two cores: while one waits for a service, the others work.
test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# Test pages in a real Chromium, and a game each in Firefox and WebKit (some minutes). Without these browsers the tests
# skip with a reason: apt install chromium-headless-shell firefox-esr webkit2gtk-driver xvfb.
browsers: $(VENV)/.test
	$(BIN)/python -m pytest -n 3 --dist worksteal -m browser tests

# Test parts of games, boards and sheets of tokens that the camera reads from rendered pictures (some minutes).
pixels: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m "pixels and not whole_games" tests

# Paint the pictures of cards and boxes for the pages from each game's printed deck: one sheet and one cover a game.
card-art: $(VENV)/.test
	$(BIN)/python -m tests.tools.card_art

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench
	$(BIN)/python -m tests.bench

$(VENV)/bin/python:
	@echo "Setting up (2 to 3 minutes, once; longer on a slow network or a Raspberry Pi) ..."
	@echo "Step 1 of 3: making an environment for Python in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# The first set-up takes minutes and must not look stuck: each step prints its task, pip shows each package, and errors
# stay on the screen. The last step draws the demonstration's cards and tables in advance, so that it starts within
# seconds. The demonstration can also draw them itself.
$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	@echo "Step 2 of 3: downloading and installing packages ..."
	@$(BIN)/python -m pip install --no-input --disable-pip-version-check --progress-bar on --editable '.[vision,backup,hall]'
	@echo "Step 3 of 3: drawing the cards and tables of the demonstration ..."
	-@$(BIN)/python -m vision.simulate.demonstration_table
	@touch $@
	@echo "Set up. Starting the companion ..."

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.run

$(VENV)/.bench: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	touch $@

# Test pulled plugs and failing disks, with figures (minutes). The kernel that `make pins` builds simulates the plugs.
faults: $(VENV)/.test
	$(BIN)/python -m pytest -m faults -v

# Send tens of thousands of hostile requests and messages. Each test prints its seed; COMPANION_FUZZ_SEED=… repeats it.
fuzz: $(VENV)/.test
	$(BIN)/python -m pytest -m fuzz -v -s tests/fuzz

# Follow whole games on rendered tables with the camera alone: about a minute of one processor each.
follow: $(VENV)/.test
	$(BIN)/companion bench vision --follow game-of-trains

# Simulated people play whole games at a table with pins, pages and a camera in pixels, faster than in reality. Each
# game prints its result and keeps its figures: `python -m tests.end_to_end.figures results/whole-games.jsonl` prints
# them again. GAMES=20 plays that many with each number of players (many hours); PLAY="-k 'default and take-a-train-6'"
# selects games. An interrupted run continues where it stopped; delete the file after a change of the code.
whole-games: $(VENV)/.test
	mkdir -p results
	COMPANION_FIGURES=$(FIGURES) COMPANION_EACH=$(GAMES) $(BIN)/python -m pytest -m whole_games -v $(PLAY) tests; played=$$?; \
		$(BIN)/python -m tests.end_to_end.figures $(FIGURES); exit $$played

# Play ten thousand games of each kind and number of players by the rules alone. An interrupted run continues where it
# stopped. SOAK="--games 500 --only take-a-train" plays fewer; `results/soak.jsonl` contains the figures.
soak: $(VENV)/.test
	COMPANION_EXAMPLES=1 $(BIN)/python -m tests.soak $(SOAK)

# Build a kernel with simulated pins and cameras, once (some minutes).
pins:
	tests/hardware/kernel/build.sh

# Install RPi.GPIO's drop-in in a folder of its own; otherwise the other tests would find pins of another kind.
$(VENV)/rpi-lgpio/.there: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/rpi-lgpio 'rpi-lgpio==0.6'
	touch $@

# Run the tests on that kernel's real lines (minutes). Tests of cameras skip unless `make cameras` was run.
kernel: $(VENV)/.test $(VENV)/rpi-lgpio/.there pins
	$(BIN)/python -m pytest -m "kernel and not faults" tests/hardware tests/vision/kernel

# Build a tree with libcamera and picamera2, for the tests of cameras on that kernel. Needs root.
cameras: $(VENV)/.test pins
	PYTHON=$(abspath $(BIN))/python tests/vision/kernel/build.sh

# Test the services on a small machine with its own systemd (systemd-nspawn). Needs root.
systemd: $(VENV)/.test deb
	tests/systemd/root.sh bookworm "" ready
	tests/systemd/wheels.sh bookworm
	tests/systemd/archive.sh
	COMPANION_MUST_RUN=systemd $(BIN)/python -m pytest -m systemd tests/systemd

# Test the installation in clean Debian roots with packages from the internet; on arm64 by emulation, without a start.
# Needs root.
install-test: $(VENV)/.test
	tests/systemd/root.sh bookworm
	tests/systemd/root.sh trixie
	tests/systemd/root.sh bookworm arm64
	$(BIN)/python -m tests.systemd.installing bookworm trixie bookworm-arm64

# Build the Debian package of the working tree into dist/, for Debian 13 and Raspberry Pi OS Trixie. KEY_PUBLIC=FILE is
# the key that verifies updates from a page; without it, pages offer no updates.
deb: $(VENV)/bin/python
	$(BIN)/python systemd/deb/release --only deb $(if $(KEY_PUBLIC),--key-public $(KEY_PUBLIC))

# Build the parts of a release into dist/ from a commit: wheel, source, package, vendor-data and checksums. The same
# commit produces the same bytes.
release: $(if $(KEY),$(VENV)/.test,$(VENV)/bin/python)
	$(BIN)/python systemd/deb/release $(if $(KEY),--key $(KEY)) $(if $(KEY_PUBLIC),--key-public $(KEY_PUBLIC))

clean:
	rm -rf $(VENV) build dist *.egg-info
