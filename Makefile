# Two commands do all the set-up on a machine that has Python 3 with venv: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FIGURES ?= results/whole-games.jsonl
PLAY ?=
GAMES ?= 0
NODES ?= 1

# Tests start hundreds of processes: Python keeps what it has compiled, even where the environment says otherwise.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run hall test card-art browsers pixels bench follow whole-games soak lint faults fuzz pins kernel cameras systemd install-test
.PHONY: deb release clean
run: $(VENV)/.run
	$(BIN)/companion run

# A hall with ten tables that play by themselves, by mosquitto; NODES=3: on three nodes of a NATS cluster that may be killed.
hall: $(VENV)/.test
	$(if $(filter 3,$(NODES)),$(BIN)/python -m tests.tools.hall_nodes,$(BIN)/companion hall --demonstration 10)

# Three processes on two cores: while one waits for a service that it has started, the others have work.
test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# Pages in a real Chromium, and a game each in Firefox and WebKit, some minutes of them. They skip with a reason where
# there is none: apt install chromium-headless-shell firefox-esr webkit2gtk-driver xvfb.
browsers: $(VENV)/.test
	$(BIN)/python -m pytest -n 3 --dist worksteal -m browser tests

# Parts of games, boards and sheets of tokens that the camera reads from rendered pictures, some minutes of them.
pixels: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m "pixels and not whole_games" tests

# The pictures on cards and boxes as pages show them: one sheet and one cover a game, painted from its printed deck.
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

# The first time takes minutes, which nobody should take for a standstill: each step says what it does, and pip shows
# each package as it comes. Errors stay on the screen.
# The demonstration's cards and tables are drawn while one waits anyway: then it begins within seconds. It can draw them itself.
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

# Minutes of pulled plugs and failing disks, with figures; the plugs are those of the kernel that `make pins` builds.
faults: $(VENV)/.test
	$(BIN)/python -m pytest -m faults -v

# Tens of thousands of hostile requests and messages; each world prints its seed. COMPANION_FUZZ_SEED=… repeats one.
fuzz: $(VENV)/.test
	$(BIN)/python -m pytest -m fuzz -v -s tests/fuzz

# Whole games on rendered tables, followed by the camera alone: about a minute of one processor each.
follow: $(VENV)/.test
	$(BIN)/companion bench vision --follow game-of-trains

# People play whole games at a table with pins, pages and a camera in pixels, faster than life; each prints how it went,
# and the table at the end is kept: `python -m tests.end_to_end.figures results/whole-games.jsonl` prints it again.
# GAMES=20 plays so many with each number of players (many hours); PLAY="-k 'default and take-a-train-6'" only some.
# Interrupted, it goes on where it was; delete the file after a change of the code.
whole-games: $(VENV)/.test
	mkdir -p results
	COMPANION_FIGURES=$(FIGURES) COMPANION_EACH=$(GAMES) $(BIN)/python -m pytest -m whole_games -v $(PLAY) tests; played=$$?; \
		$(BIN)/python -m tests.end_to_end.figures $(FIGURES); exit $$played

# Ten thousand games of each kind and number of players by the rules alone; interrupted, it goes on where it was.
# SOAK="--games 500 --only take-a-train" plays fewer; `results/soak.jsonl` has the figures.
soak: $(VENV)/.test
	COMPANION_EXAMPLES=1 $(BIN)/python -m tests.soak $(SOAK)

# A kernel with simulated pins and cameras, built once (some minutes).
pins:
	tests/hardware/kernel/build.sh

# RPi.GPIO's drop-in, in a folder of its own: with it beside them, the other tests would find pins of another kind.
$(VENV)/rpi-lgpio/.there: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/rpi-lgpio 'rpi-lgpio==0.6'
	touch $@

# The tests on that kernel's real lines, minutes of them; cameras on it skip where `make cameras` was not run.
kernel: $(VENV)/.test $(VENV)/rpi-lgpio/.there pins
	$(BIN)/python -m pytest -m "kernel and not faults" tests/hardware tests/vision/kernel

# A tree with libcamera and picamera2, for the tests of cameras on that kernel. Needs root.
cameras: $(VENV)/.test pins
	PYTHON=$(abspath $(BIN))/python tests/vision/kernel/build.sh

# A small machine with a systemd of its own (systemd-nspawn), and the services on it. Needs root.
systemd: $(VENV)/.test deb
	tests/systemd/root.sh bookworm "" ready
	tests/systemd/wheels.sh bookworm
	tests/systemd/archive.sh
	COMPANION_MUST_RUN=systemd $(BIN)/python -m pytest -m systemd tests/systemd

# The installation in clean Debian roots, its packages from the internet; on arm64 by emulation, without starting. Needs root.
install-test: $(VENV)/.test
	tests/systemd/root.sh bookworm
	tests/systemd/root.sh trixie
	tests/systemd/root.sh bookworm arm64
	$(BIN)/python -m tests.systemd.installing bookworm trixie bookworm-arm64

# The Debian package of what lies here, in dist/: for Debian 13 and Raspberry Pi OS Trixie. KEY_PUBLIC=FILE: the key by
# which it will know updates that come from a page; without one it offers none.
deb: $(VENV)/bin/python
	$(BIN)/python systemd/deb/release --only deb $(if $(KEY_PUBLIC),--key-public $(KEY_PUBLIC))

# What a release consists of, in dist/, from a commit: wheel, source, package, vendor-data and checksums; the same commit
# gives the same bytes.
release: $(if $(KEY),$(VENV)/.test,$(VENV)/bin/python)
	$(BIN)/python systemd/deb/release $(if $(KEY),--key $(KEY)) $(if $(KEY_PUBLIC),--key-public $(KEY_PUBLIC))

clean:
	rm -rf $(VENV) build dist *.egg-info
