# Only forwards: everything is in start.py, which also runs where there is no make.
#   make test ARGS="-k rms_norm"
PYTHON ?= python3
COMMANDS := lab quiz test test-slow grade redteam bench build doctor lint setup

.PHONY: help $(COMMANDS)

help:
	@$(PYTHON) start.py help

$(COMMANDS):
	@$(PYTHON) start.py $@ $(ARGS)
