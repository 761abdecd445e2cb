#!/bin/sh
# Replays the cases in replay/: attest verify, attest export --coq, and coqc
# for every claim that can be exported; then changes one thing at a time in
# the exported files and in the certificates, and requires that the change is
# rejected.  Prints the replay time of each claim.  The compiled development
# must be there (make).  The last line is "N passed, N failed".
#   ATTEST=path   the program (default ../../build/attest)
#   LIMIT=s       seconds for each run of coqc (default 120)
#   CHANGES=n     changed files that are compiled for each claim (default 2,
#                 a different choice for each claim; 99 for all)
cd "$(dirname "$0")" || exit 2
attest=${ATTEST:-../../build/attest}
limit=${LIMIT:-120}
CHANGES=${CHANGES:-2}
turn=0
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
    /[.]$/ { inside = 0 }
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
rejected() { # FILE LABEL: must not compile, and not for its form
  if compile "$1"; then report 1 "$2: compiles"
  elif grep -q -i 'syntax error\|was not found\|Cannot find' "$work/coqc.log"; then report 1 "$2: rejected for its form only"
  else report 0 "$2"; fi
}
changes=0
candidate() { # LABEL: keeps changed/new.v if it differs from the exported file
  if cmp -s "$work/changed/new.v" "$current"; then return; fi
  changes=$((changes + 1))
  mv "$work/changed/new.v" "$work/changed/replay_$changes.v"
  echo "$1" >"$work/changed/replay_$changes.label"
}

"$attest" verify replay --out "$work/certificates" >"$work/verify.log" 2>&1
report $? "attest verify replay"
[ "$failed" -eq 0 ] || cat "$work/verify.log"

printf '%-22s %-5s %-18s %-12s %9s %9s %s\n' case claim statement verdict bytes seconds 'changes tried, refused by the export'
for certificate in "$work"/certificates/*.json; do
  name=$(basename "$certificate" .json)
  claim=0
  grep -o '"statement": *"[^"]*"\|"verdict": *"[^"]*"' "$certificate" | sed 's/.*: *"//; s/"$//' | paste -d' ' - - >"$work/claims"
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
      new=$work/changed/new.v
      rm -f "$work"/changed/replay_*
      changes=0
      for what in minor_inverse hull_v_0 hull_c_0 hull_inverse_0 subset relation; do
        change_digit "$what" "$current" >"$new"; candidate "a digit of $what"
      done
      for what in minor_cols minor_rows hull_cols_0; do
        duplicate "$what" "$current" >"$new"; candidate "a duplicate in $what"
      done
      for what in rank_lower kruskal_lower; do
        change_value "$what" 1 "$current" >"$new"; candidate "the value of $what"
      done
      for what in rank_upper kruskal_upper "claim_${claim}_hull"; do
        change_value "$what" -1 "$current" >"$new"; candidate "the value of $what"
      done
      # The certificate itself: refused by the export, or by Coq.
      refused=0
      for change in 's/\("cols": *\[ *\)\([0-9]*\), *[0-9]*/\1\2, \2/' 's/\("lower": *\)\([0-9]*\)/\14\2/' \
        's/\("c": *"\)\(-*[0-9]\)/\13\2/' 's/\("relation": *\[ *"-*\)/\13/'; do
        sed "$change" "$certificate" >"$work/changed/certificate.json"
        cmp -s "$work/changed/certificate.json" "$certificate" && continue
        if "$attest" export --coq "$work/changed/certificate.json" --claim "$claim" --out "$new" 2>/dev/null; then
          candidate "certificate changed by $change"
        else report 0 "$name claim $claim: refused by the export after $change"; refused=$((refused + 1)); fi
      done
      # All changes, or $CHANGES of them in turn.
      k=0
      while [ "$k" -lt "$changes" ] && [ "$k" -lt "$CHANGES" ]; do
        k=$((k + 1))
        turn=$((turn + 1))
        which=$(((turn * 3) % changes + 1))
        [ "$CHANGES" -lt "$changes" ] || which=$k
        rejected "$work/changed/replay_$which.v" "$name claim $claim: $(cat "$work/changed/replay_$which.label")"
      done
      printf '%-22s %-5s %-18s %-12s %9s %9s %s\n' "$name" "$claim" "$statement" "$verdict" "$(wc -c <"$current")" "$seconds" "$k of $changes, $refused"
    else
      report 1 "$name claim $claim is not exported: $(cat "$work/export.log")"
    fi
    claim=$((claim + 1))
  done <"$work/claims"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
