"""Validates every certificate below a folder against the JSON Schema: check_schema.py SCHEMA FOLDER."""
import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
draft = jsonschema.validators.validator_for(schema)


def any_of(validator, alternatives, instance, within):
    """Alternatives with another constant cannot hold: the rest of a long step is not held against them."""
    def can_hold(alternative):
        constants = {key: value["const"] for key, value in alternative.get("properties", {}).items() if "const" in value}
        return all(instance.get(key, value) == value for key, value in constants.items())
    yield from draft.VALIDATORS["anyOf"](validator, [a for a in alternatives if not isinstance(instance, dict) or can_hold(a)] or alternatives,
                                         instance, within)


validator = jsonschema.validators.extend(draft, {"anyOf": any_of})(schema)
failures = 0
files = sorted(pathlib.Path(sys.argv[2]).rglob("*.json"))
for file in files:
    for error in validator.iter_errors(json.loads(file.read_text())):
        print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        failures += 1
print(f"{len(files)} certificates, {failures} errors")
sys.exit(1 if failures or not files else 0)
