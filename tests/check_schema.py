"""Validates every certificate below a folder against the JSON Schema: check_schema.py SCHEMA FOLDER."""
import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
validator = jsonschema.validators.validator_for(schema)(schema)
failures = 0
files = sorted(pathlib.Path(sys.argv[2]).rglob("*.json"))
for file in files:
    for error in validator.iter_errors(json.loads(file.read_text())):
        print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        failures += 1
print(f"{len(files)} certificates, {failures} errors")
sys.exit(1 if failures or not files else 0)
