"""What `attest potential` and `python3 -m attest.potential` run; in Python it is the function attest.potential."""

if __name__ != "__main__":
    raise ImportError("attest.potential is a function of the module attest: import attest; attest.potential(model, inputs, where)")

from attest import pages, potentials

pages.ended(potentials.main)
