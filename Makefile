# What one does with the product, by name. `make` alone lists it. Python 3.11 or newer, with venv and pip, is all it needs.

PYTHON ?= python3
REGISTER ?= sample
PORT ?= 8000
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes
run passwords backup restore report: export PORTABILITY_REGISTER = $(REGISTER)

.PHONY: help setup run run-empty passwords backup restore report test test-long bench lint lock

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

setup: .venv/app.done  ## what `make run` and .venv/bin/portability need, in .venv

.venv/app.done: requirements/app.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed. Name one: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || { echo "Setting up .venv, once: about a minute."; $(PYTHON) -m venv .venv; }
	$(INSTALL) -r requirements/app.txt
	@# setuptools is among what was just installed: the package is built with it, and nothing is fetched
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q portability  # so that no command has to compile what it imports
	@touch $@

.venv/dev.done: .venv/app.done requirements/dev.txt
	$(INSTALL) -r requirements/dev.txt
	@touch $@

run: setup  ## serve the sample register, or one of your own: make run REGISTER=mine PORT=8001
	@exec $(BIN)/python manage.py serve --port $(PORT)

run-empty:  ## serve a register of your own that starts empty
	@exec $(MAKE) --no-print-directory run REGISTER=register

passwords: setup  ## new passwords for the sample logins: make passwords; or for others: make passwords REGISTER=mine WHO=ann
	@$(BIN)/python manage.py passwords $(WHO)

backup: setup  ## copy a register into var/backups, served or not: make backup REGISTER=mine
	@$(BIN)/python manage.py backup

restore: setup  ## put a copy back: make restore REGISTER=mine FROM=var/backups/mine-....sqlite3
	@$(BIN)/python manage.py restore $(FROM)

report: setup  ## a signed review as PDF, by a Chromium: make report QUARTER=2026-Q3 REGISTER=mine
	@$(BIN)/python manage.py report $(QUARTER) --pdf var/review-$(QUARTER).pdf

test: .venv/dev.done  ## every test but the long ones
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-long: .venv/dev.done  ## mutations, large registers, lists of faults
	$(BIN)/python -m pytest -n 2 --dist loadfile -m long

bench: .venv/dev.done  ## how long reading, judging and the register page take
	$(BIN)/python -m tests.bench

lint: .venv/dev.done  ## style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict portability tests

lock:  ## pin the newest versions that requirements/*.in allow, with hashes
	unset PIP_FIND_LINKS; for name in cli app dev; do \
	  $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-emit-find-links --custom-compile-command "make lock" --output-file requirements/$$name.txt requirements/$$name.in || exit 1; \
	done
