#!/bin/sh
# Replays the cases in replay/: attest verify, attest export --coq, and coqc
# for every claim that can be exported; then changes one thing at a time in
# the exported files and in the certificates, and requires that the change is
# rejected.  Prints the replay time of each claim.  The compiled development
# must be there (make).  The last line is "N passed, N failed".
#   ATTEST=path   the program (default ../../build/attest)
#   LIMIT=s       seconds for each run of coqc (default 120)
cd "$(dirname "$0")" || exit 2
attest=${ATTEST:-../../build/attest}
limit=${LIMIT:-120}
passed=0
failed=0
report() { # report STATUS NAME
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL  $2"; fi
}
work=$(mktemp -d ./replay.tmp.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/certificates" "$work/changed"

compile() { timeout "$limit" coqc -w none -Q . Attest "$1" >"$work/coqc.log" 2>&1; }
now() { date +%s%N; }

# one digit of the first number of a definition; two equal numbers at its start
change_digit() { # NAME FILE
  awk -v name="$1" '
    $1 == "Definition" && $2 == name { inside = 1; print; next }
    inside && match($0, /[0-9]/) {
      d = substr($0, RSTART, 1)
      $0 = substr($0, 1, RSTART - 1) ((d + 1) % 10) substr($0, RSTART + 1); inside = 0
    }
    { print }' "$2"
}
duplicate() { # NAME FILE
  awk -v name="$1" '
    $1 == "Definition" && $2 == name { inside = 1; print; next }
    inside { if (match($0, /[0-9]+; [0-9]+/)) {
        split(substr($0, RSTART, RLENGTH), n, "; ")
        $0 = substr($0, 1, RSTART - 1) n[1] "; " n[1] substr($0, RSTART + RLENGTH)
      }
      inside = 0 }
    { print }' "$2"
}
# the number that a lemma or theorem claims, plus one or minus one
change_value() { # NAME STEP FILE
  awk -v name="$1" -v step="$2" '
    ($1 == "Lemma" || $1 == "Theorem") && $2 == name { inside = 1 }
    inside && match($0, /[(][0-9]+ <= |<= [0-9]+[)]%N| = [0-9]+%N| <> [0-9]+%N/) {
      part = substr($0, RSTART, RLENGTH); match(part, /[0-9]+/)
      new = substr(part, 1, RSTART - 1) (substr(part, RSTART, RLENGTH) + step) substr(part, RSTART + RLENGTH)
      at = index($0, part); $0 = substr($0, 1, at - 1) new substr($0, at + length(part)); inside = 0
    }
    { print }' "$3"
}
rejected() { # LABEL: changed/replay_case.v, unless nothing was changed, must not compile
  if cmp -s "$work/changed/replay_case.v" "$current"; then return; fi
  if compile "$work/changed/replay_case.v"; then report 1 "$1: compiles"; else
    if grep -q -i 'syntax error\|was not found\|Cannot find' "$work/coqc.log"; then report 1 "$1: rejected for its form only"; else report 0 "$1"; fi
  fi
  changes=$((changes + 1))
}

"$attest" verify replay --out "$work/certificates" >"$work/verify.log" 2>&1
report $? "attest verify replay"
[ "$failed" -eq 0 ] || cat "$work/verify.log"

printf '%-22s %-5s %-18s %-12s %9s %9s %s\n' case claim statement verdict bytes seconds changes-rejected
for certificate in "$work"/certificates/*.json; do
  name=$(basename "$certificate" .json)
  claim=0
  grep '"index"' "$certificate" | sed 's/.*"statement": "\([^"]*\)".*"verdict": "\([^"]*\)".*/\1 \2/' >"$work/claims"
  while read -r statement verdict; do
    current=$work/claim_$claim.v
    changes=0
    if "$attest" export --coq "$certificate" --claim "$claim" --out "$current" 2>"$work/export.log"; then
      start=$(now)
      compile "$current"
      status=$?
      seconds=$(awk -v a="$start" -v b="$(now)" 'BEGIN { printf "%.1f", (b - a) / 1e9 }')
      report "$status" "$name claim $claim compiles"
      [ "$status" -eq 0 ] || tail -n 5 "$work/coqc.log"
      changed=$work/changed/replay_case.v
      for what in minor_inverse hull_v_0 hull_c_0 hull_inverse_0 kernel_0 kernel_inverse_0 subset relation; do
        change_digit "$what" "$current" >"$changed"; rejected "$name claim $claim: a digit of $what"
      done
      for what in minor_cols minor_rows hull_cols_0 kernel_cols_0; do
        duplicate "$what" "$current" >"$changed"; rejected "$name claim $claim: a duplicate in $what"
      done
      for what in rank_lower kruskal_lower; do
        change_value "$what" 1 "$current" >"$changed"; rejected "$name claim $claim: the value of $what"
      done
      for what in rank_upper kruskal_upper "claim_${claim}_hull"; do
        change_value "$what" -1 "$current" >"$changed"; rejected "$name claim $claim: the value of $what"
      done
      # the certificate itself: refused by the export, or by Coq
      for change in 's/\("cols": *\[ *\)\([0-9]*\), *[0-9]*/\1\2, \2/' 's/\("lower": \)\([0-9]*\)/\14\2/' \
        's/\("c": "\)\(-*[0-9]\)/\13\2/' 's/\("relation": *\["-*\)/\13/'; do
        sed "$change" "$certificate" >"$work/changed/certificate.json"
        cmp -s "$work/changed/certificate.json" "$certificate" && continue
        if "$attest" export --coq "$work/changed/certificate.json" --claim "$claim" --out "$changed" 2>/dev/null; then
          cmp -s "$changed" "$current" || rejected "$name claim $claim: certificate changed by $change"
        else report 0 "$name claim $claim: refused by the export after $change"; changes=$((changes + 1)); fi
      done
      printf '%-22s %-5s %-18s %-12s %9s %9s %s\n' "$name" "$claim" "$statement" "$verdict" "$(wc -c <"$current")" "$seconds" "$changes"
    else
      report 1 "$name claim $claim is not exported: $(cat "$work/export.log")"
    fi
    claim=$((claim + 1))
  done <"$work/claims"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
