# The two commands of a user are `make run` and `make test`; both need Python >= 3.11 and make only.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8501

# What Python has compiled is kept, whatever the machine is set to: every process would compile all anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test crash orders train train-reader train-going-on train-refusal train-plans train-rightness lint install pins requirements screens int8 sample s3-server ray cluster clean \
	bench-ingest bench-ray bench-questions bench-memory bench-browser bench-crowd bench-graph bench-search bench-growth bench-labels bench-tables bench-structure bench-calibrate

run: install
	$(BIN)/python -m core serve --port $(PORT)

# What has a command of its own, `make crash` and `make cluster`, as it takes long and says more the longer it runs.
CLUSTER := tests/scale/test_two_replicas.py tests/scale/test_ray.py
LONG := --ignore=tests/crash $(CLUSTER:%=--ignore=%)

# In three processes for two cores, each with one thread for its models (tests/support/workers.py). ARGS are pytest's:
# make test ARGS="tests/graph -k expand"; with -n 0 in a single process, as a debugger wants it.
test: install
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadscope \
		--no-loadscope-reorder $(or $(ARGS),$(LONG))

# Kills a process that changes a library, looks after one or moves it between stores, so many times, and from 50 on
# also the server under a page that is open in Chromium.
KILLS ?= 50
crash: install
	KILLS=$(KILLS) $(BIN)/python -m pytest tests/crash $(ARGS)

# Changes a library in any order while it is killed and servers come and go, two thousand times; the suite does
# so a hundred times.
orders: install
	ORDERS=2000 $(BIN)/python -m pytest -n 0 tests/maintenance/any_order $(ARGS)

# Several machines over one library, of which one is killed; and files read on a cluster of two Ray nodes, of which one
# is killed, and the driver too.
cluster: install ray s3-server
	$(BIN)/python -m pytest -n 0 $(CLUSTER) $(ARGS)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

install: $(VENV)/.installed

# Runs again only when requirements.txt changes.
$(VENV)/.installed: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Materia needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	touch $@

# requirements.txt anew from pyproject.toml: what a fresh environment would get; nothing is installed.
pins:
	$(PYTHON) -m venv --clear build/pins
	build/pins/bin/python -m pip install --disable-pip-version-check --quiet --dry-run \
		--report build/pins.json -e '.[test,dev]'
	build/pins/bin/python deploy/pins.py < build/pins.json > build/requirements.txt
	mv build/requirements.txt requirements.txt

# Which test proves which requirement; fails on an id without one.
requirements: install
	$(BIN)/python -m tests.requirements

# Screenshots of every page, to build/screens (needs chromium).
screens: install
	$(BIN)/python -m pytest tests/browser -k screens $(ARGS)

# The int8 copy of the bundled model that comes with Materia, from its weights; then pin the hash that is printed.
int8: install
	rm -f core/encoders/int8/all-MiniLM-L6-v2-int8-*.onnx
	$(BIN)/python -m core.encoders.onnx_child
	sha256sum core/encoders/int8/all-MiniLM-L6-v2-int8-*.onnx

# The sample files in data/, from their sources in data/build.
sample: install
	$(BIN)/python data/build/build_leaflets.py
	$(BIN)/python data/build/build_graph.py
	$(BIN)/python data/build/build_abstracts.py
	$(BIN)/python data/build/check_sample.py

# Benchmarks, see bench/README.md; ARGS are the command's own: make bench-ingest ARGS="--rounds 3".
bench-ingest: install bench/.venv/.installed
	bench/.venv/bin/python -m bench.ingest $(ARGS)

bench-memory: install
	$(BIN)/python -m bench.memory $(ARGS)

bench-browser: install
	$(BIN)/python -m bench.browser $(ARGS)

bench-crowd: install
	$(BIN)/python -m bench.crowd $(ARGS)

bench-graph: install
	$(BIN)/python -m bench.graph $(ARGS)

# Questions to the graph with gold answers, from the graphs beside the project.
bench-questions: install
	$(BIN)/python -m bench.question_plans $(ARGS)

bench-search: install bench/.venv/.installed
	bench/.venv/bin/python -m bench.search $(ARGS)

bench-ray: ray
	build/ray/bin/python -m bench.ray_speed $(ARGS)

bench-growth: install
	$(BIN)/python -m bench.growth $(ARGS)

# Labels, leaflets and guidances that nothing was fitted to, asked what others asked; they stand beside the project.
bench-labels: install
	$(BIN)/python -m bench.labels $(ARGS)

# Conversations over labels, leaflets and papers, each question in its conversation and as what it stands for, alone.
bench-conversations: install
	$(BIN)/python -m bench.conversations $(ARGS)

# Fine-tunes what reads a statement beside a question, to public questions and those of train/questions; before train.
train-reader: install
	$(BIN)/python -m train.reader

# Goes on with it over what browsers printed (bench/printed); its steps took 117 minutes on two cores, without the libraries.
train-going-on: install
	$(BIN)/python -m train.going_on

# Fits the last sum of core/evidence/learned.toml to printed documents that no model learned from; after train.
train-refusal: install
	$(BIN)/python -m train.refusal

# Fits core/evidence/learned.toml to the questions of train/questions.
train: install
	$(BIN)/python -m train.relevance

# Fine-tunes what reads questions to the graph, to the phrasings of bench/plans.
train-plans: install
	$(BIN)/python -m train.plans $(ARGS)

# Fits core/evidence/rightness.toml, what share of answers is right, to what the product answers to bench.labels; after train.
train-rightness: install
	$(BIN)/python -m train.rightness $(ARGS)

bench-tables: install
	$(BIN)/python -m bench.tables $(ARGS)

bench-structure: install
	$(BIN)/python -m bench.structure $(ARGS)

bench-calibrate: install
	$(BIN)/python -m bench.calibrate $(ARGS)

# The pipeline that Materia is compared with has an environment of its own.
bench/.venv/.installed: bench/requirements.txt
	test -x bench/.venv/bin/python || $(PYTHON) -m venv bench/.venv
	bench/.venv/bin/python -m pip install --disable-pip-version-check -r bench/requirements.txt
	touch $@

# The S3-compatible store of the tests, in an environment of its own: it needs other versions of what Materia has.
s3-server: build/s3-server/.installed

build/s3-server/.installed: tests/support/scale/requirements.txt
	$(PYTHON) -m venv build/s3-server
	build/s3-server/bin/python -m pip install --disable-pip-version-check -r tests/support/scale/requirements.txt
	touch $@

# Ray for `ingest --ray`, beside what .venv has.
ray: build/ray/.installed

build/ray/.installed: requirements-ray.txt requirements.txt | install
	$(BIN)/python -m venv build/ray
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		> "$$(build/ray/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/materia.pth"
	build/ray/bin/python -m pip install --disable-pip-version-check -r requirements-ray.txt
	touch $@

clean:
	rm -rf build .pytest_cache .mypy_cache .ruff_cache
