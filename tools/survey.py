"""What `python3 -m attest.survey` runs; in Python it is the function attest.survey."""

if __name__ != "__main__":
    raise ImportError("attest.survey is a function of the module attest: import attest; attest.survey(folder)")

from attest import pages, surveys

pages.ended(surveys.main)
