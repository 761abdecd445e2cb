"""Validates certificates against the JSON Schema: validate.py SCHEMA CERTIFICATE...

Prints one line for each certificate and exits with 1 when one of them is invalid, with 77 without the package jsonschema.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
status = 0
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        errors = list(validator.iter_errors(json.load(file)))
    print(name, "invalid" if errors else "valid")
    status = 1 if errors else status
sys.exit(status)
