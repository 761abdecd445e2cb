#!/bin/sh
# replay.sh [CASE.toml ...]
# Replays cases (default: all in replay/): attest verify, attest export --coq, and coqc
# for every claim that can be exported. Then changes one thing at a time, in
# the exported files (a witness, a number that is claimed) and in the
# certificates, and requires that the change is rejected: by the export, or by
# coqc because a check or a proof fails, for no other reason. Prints processor
# seconds of coqc (user and system). The compiled development must be there
# (make). The last line is "N passed, N failed".
#   ATTEST=path   the program (default ../../build/attest)
#   LIMIT=s       seconds for each run of coqc (default 300)
#   JOBS=n        claims at a time (default 2)
#   CHANGES=n     for each claim, changed files that are compiled, and changed
#                 certificates that the export accepts and coqc has to reject
#                 (default 1, a different choice for each claim; 99 for all)
#   LOGS=file     what coqc says about each change
cd "$(dirname "$0")" || exit 2
ATTEST=${ATTEST:-../../build/attest}
LIMIT=${LIMIT:-300}
JOBS=${JOBS:-2}
CHANGES=${CHANGES:-1}
export ATTEST LIMIT CHANGES

# coqc FILE; its processor seconds are in seconds
compile() {
  (
    timeout "$LIMIT" coqc -w none -Q . Attest "$1" >"$job/coqc.log" 2>&1
    status=$?
    times >"$job/times"
    exit $status
  )
  status=$?
  seconds=$(awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
    printf "%.1f", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$job/times")
  echo "$seconds" >>"$job/seconds"
  return $status
}

# --- changes of an exported file ---
# one digit of the first number of a definition
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
# two equal numbers at the start of a list
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
    inside && match($0, /[(][0-9]+ <= |[(][0-9]+ < | <=? [0-9]+[)]%N| = [0-9]+%N/) {
      part = substr($0, RSTART, RLENGTH); match(part, /[0-9]+/)
      new = substr(part, 1, RSTART - 1) (substr(part, RSTART, RLENGTH) + step) substr(part, RSTART + RLENGTH)
      at = index($0, part); $0 = substr($0, 1, at - 1) new substr($0, at + length(part)); inside = 0
    }
    { print }' "$3"
}
# --- changes of a certificate, which is on one line here ---
# the number that ends each match of an expression, plus STEP
bump() { # EXPRESSION STEP FILE
  awk -v expression="$1" -v step="$2" '{
    out = ""
    while (match($0, expression)) {
      head = substr($0, 1, RSTART + RLENGTH - 1); $0 = substr($0, RSTART + RLENGTH)
      match(head, /-?[0-9]+$/); out = out substr(head, 1, RSTART - 1) (substr(head, RSTART) + step)
    }
    print out $0 }' "$3"
}
# constructed weights: all zero
zero_vectors() { # FILE
  awk '{
    out = ""
    while (match($0, /"num": *\[[^]]*\]/)) {
      part = substr($0, RSTART, RLENGTH); gsub(/"-?[0-9]+"/, "\"0\"", part)
      out = out substr($0, 1, RSTART - 1) part; $0 = substr($0, RSTART + RLENGTH)
    }
    print out $0 }' "$1"
}

report() { # STATUS LABEL
  if [ "$1" -eq 0 ]; then echo "ok    $2"; else echo "FAIL  $2"; fi >>"$job/report"
}
# What coqc says when a computed check is false (vm_cast_no_check at Qed), when
# a number does not follow from the lemmas (apply, by), and nothing else.
reasons='The term "erefl true" has type "true = true"|Cannot apply lemma \(replay_|The LHS of \((rank|kruskal)_(lower|upper) F\)|^Error: No applicable tactic'
rejected() { # FILE LABEL: must not compile, for one of these reasons
  compile "$1"
  status=$?
  if [ "$status" -eq 1 ] && grep -qE "$reasons" "$job/coqc.log"; then
    report 0 "$2"
  else
    report 1 "$2: coqc ends with status $status"
    tail -n 3 "$job/coqc.log" >>"$job/report"
  fi
  [ -z "$LOGS" ] || { echo "## $2"; cat "$job/coqc.log"; } >>"$job/logs"
}
# Keeps $job/new.v as a candidate of a kind (file, certificate) if it differs from the exported file.
candidate() { # KIND LABEL
  cmp -s "$job/new.v" "$current" && return
  echo "$2" >>"$job/$1.labels"
  mv "$job/new.v" "$job/$1_$(wc -l <"$job/$1.labels").v"
}
# Compiles all candidates of a kind, or $CHANGES of them, starting at another one for each claim.
try() { # KIND
  count=$(wc -l <"$job/$1.labels")
  tried=0
  while [ "$tried" -lt "$count" ] && [ "$tried" -lt "$CHANGES" ]; do
    which=$(((number + tried) % count + 1))
    label=$(sed -n "${which}p" "$job/$1.labels")
    rejected "$job/$1_$which.v" "$name claim $claim: $label"
    echo "coqc $label" >>"$job/kinds"
    tried=$((tried + 1))
  done
}
change_certificate() { # LABEL COMMAND...: the command prints the changed certificate
  label="certificate: $1"
  shift
  "$@" "$job/flat.json" >"$job/../certificates/changed_$number.json"
  cmp -s "$job/../certificates/changed_$number.json" "$job/flat.json" && return
  if "$ATTEST" export --coq "$job/../certificates/changed_$number.json" --claim "$claim" --out "$job/new.v" 2>"$job/export.log"; then
    candidate certificate "$label"
  elif [ $? -eq 2 ]; then
    report 0 "$name claim $claim: $label"
    echo "export $label" >>"$job/kinds"
    refused=$((refused + 1))
  else
    report 1 "$name claim $claim: $label: the export fails otherwise"
  fi
}

# One claim: replay.sh --claim WORK NUMBER CERTIFICATE CLAIM STATEMENT VERDICT
if [ "$1" = --claim ]; then
  job=$2/$3 number=$3 certificate=$4 claim=$5 statement=$6 verdict=$7
  name=$(basename "$certificate" .json)
  current=$job/claim.v
  refused=0
  mkdir "$job"
  : >"$job/file.labels"
  : >"$job/certificate.labels"
  if ! "$ATTEST" export --coq "$certificate" --claim "$claim" --out "$current" 2>"$job/export.log"; then
    report 1 "$name claim $claim is not exported: $(cat "$job/export.log")"
    exit 0
  fi
  compile "$current"
  status=$?
  replay=$seconds
  report "$status" "$name claim $claim compiles"
  [ "$status" -eq 0 ] || tail -n 5 "$job/coqc.log" >>"$job/report"

  new=$job/new.v
  for what in minor_inverse hull_v_0 hull_c_0 hull_inverse_0 kernel_vectors kernel_inverse constant_heads distinct_heads subset relation; do
    change_digit "$what" "$current" >"$new"; candidate file "a digit of $what"
  done
  for what in minor_cols minor_rows hull_cols_0 kernel_cols; do
    duplicate "$what" "$current" >"$new"; candidate file "a duplicate in $what"
  done
  for what in rank_lower kruskal_lower; do
    change_value "$what" 1 "$current" >"$new"; candidate file "the value of $what"
  done
  for what in rank_upper kruskal_upper "claim_${claim}_hull" "claim_${claim}_over"; do
    change_value "$what" -1 "$current" >"$new"; candidate file "the value of $what"
  done
  try file
  files="$tried of $count"

  tr '\n' ' ' <"$certificate" >"$job/flat.json"
  # awk takes "\\[" for the expression \[
  change_certificate 'another digest of the case' sed 's/"digest": *"./"digest":"x/'
  change_certificate 'another modulus' sed 's/\("p": *[0-9]*\)[0-9]/\18/g'
  change_certificate 'a row outside Z' sed 's/"rows": *\[ *[0-9]*/"rows":[99999/g'
  change_certificate 'a row of the minor twice' sed 's/"rows": *\[ *[0-9]*, *\([0-9]*\)/"rows":[\1,\1/g'
  change_certificate 'a column of the minor twice' sed 's/"cols": *\[ *[0-9]*, *\([0-9]*\)/"cols":[\1,\1/g'
  change_certificate 'a row of the minor less' sed 's/"rows": *\[ *[0-9]*, */"rows":[/g'
  change_certificate 'a row and a column less' sed 's/"\(rows\|cols\)": *\[ *[0-9]*, */"\1":[/g'
  change_certificate 'lower bounds + 1' bump '"fact": *"(rank[(]Z[(](given|[0-9]+)[)][)]|kruskal[(]queries[)]) >= [0-9]+' 1
  change_certificate 'upper bounds - 1' bump '"fact": *"(rank[(]Z[(](given|[0-9]+)[)][)]|kruskal[(]queries[)]) <= [0-9]+' -1
  change_certificate 'hull bounds - 1' bump '"fact": *"rank[(]Z[(]any[)][)] <= [0-9]+' -1
  change_certificate 'a kernel vector' bump '"vectors": *\\[ *\\[ *\\[ *[0-9]+, *"-?[0-9]+' 1
  change_certificate 'the end of a kernel vector' sed 's/\(\[ *[0-9]*, *"\)\(-*[0-9/]*"\] *\] *[],]\)/\11\2/'
  change_certificate 'a kernel vector twice' sed 's/"vectors": *\[ *\(\[ *\[[^]]*\]\(, *\[[^]]*\]\)* *\]\)/"vectors":[\1,\1/g'
  change_certificate 'an index of a vector' bump '"vectors": *\\[ *\\[ *\\[ *[0-9]+' 1
  change_certificate 'vectors of zeros' zero_vectors
  try certificate

  printf '%-24s %-5s %-18s %-9s %7s %8s   %-9s %s\n' "$name" "$claim" "$statement" "$verdict" \
    "$(wc -c <"$current")" "$replay" "$files" "$refused, $tried of $count"
  exit 0
fi

work=$(mktemp -d ./replay.tmp.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
job=$work
mkdir "$work/certificates"
[ $# -gt 0 ] || set -- replay
"$ATTEST" verify "$@" --out "$work/certificates" >"$work/verify.log" 2>&1
status=$?
report "$status" "attest verify $*"
[ "$status" -eq 0 ] || cat "$work/verify.log"

number=0
for certificate in "$work"/certificates/*.json; do
  claim=0
  # The checker's verdicts: "...  claim 0 rank (rank(Z) = 3): verified; ..."
  "$ATTEST" check "$certificate" |
    sed -n 's/.*"  claim [0-9]* \([a-z0-9-]*\) .*): \(verified\|refuted\|inapplicable\|undecided\).*/\1 \2/p' >"$work/claims"
  while read -r statement verdict; do
    number=$((number + 1))
    echo "--claim $work $number $certificate $claim $statement $verdict" >>"$work/jobs"
    claim=$((claim + 1))
  done <"$work/claims"
done
printf '%-24s %-5s %-18s %-9s %7s %8s   %-9s %s\n' case claim statement verdict bytes seconds \
  'changed:' 'certificate refused by the export, by coqc'
xargs -P "$JOBS" -L 1 sh ./replay.sh <"$work/jobs"

echo
echo 'changes rejected, by coqc or by the export, of each kind:'
cat "$work"/*/kinds | sed 's/claim_[0-9]*/claim/' | sort | uniq -c
cat "$work"/report "$work"/*/report | grep -A3 '^FAIL'
passed=$(cat "$work"/report "$work"/*/report | grep -c '^ok ')
failed=$(cat "$work"/report "$work"/*/report | grep -c '^FAIL ')
[ -z "$LOGS" ] || cat "$work"/*/logs >"$LOGS"
awk '{ sum += $1 } END { printf "%d runs of coqc, %.0f processor seconds\n", NR, sum }' "$work"/*/seconds
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$(ls -d "$work"/[0-9]* | wc -l)" -eq "$number" ]
