#!/bin/sh
# Builds the development from source, compares the assumptions of every
# headline theorem with assumptions.expected (assumptions.v tests that each is a
# theorem), looks for names that are defined twice, for definitions that
# check_sound mentions outside meaning/, for unproved statements and
# for hypotheses outside sections, runs coqchk, whose context has to be in
# coqchk.expected.  The last line is "N passed, N failed".
#   check.sh            everything
#   check.sh --built    does not build: the development is built already (make)
#   check.sh --update   also rewrites assumptions.expected and coqchk.expected
#   LIBRARIES=1         has coqchk check the libraries of Debian's packages, too: 6 minutes, 30 seconds without
#   COVERAGE="ATTEST_CHECK CERTIFICATES"  also prints the share of their claims that the proved checker decides
#                                         (paths from the root of the repository; see tests/formal/check_proved)
#   JOBS=n              parallel jobs of the build (default 2)
cd "$(dirname "$0")" || exit 2
jobs=${JOBS:-2}
# Fewer collections of larger heaps: half of the time of coqchk.
export OCAMLRUNPARAM="${OCAMLRUNPARAM:-s=8M,o=1000}"
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}"  # as in Makefile
passed=0
failed=0
report() { # report STATUS NAME
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); echo "ok    $2"
  else failed=$((failed + 1)); echo "FAIL  $2"; fi
}
finish() { echo "$passed passed, $failed failed"; [ "$failed" -eq 0 ]; exit $?; }

files=$(sed -n '/\.v$/p' _CoqProject)

if [ "$1" != --built ]; then
  make clean >/dev/null 2>&1
  make -j"$jobs" all >build.tmp 2>&1
  status=$?
  [ "$status" -eq 0 ] || tail -n 30 build.tmp
  report "$status" "build from source ($(echo "$files" | wc -l) files)"
  [ "$status" -eq 0 ] || finish
fi

# every file is in the project
missing=0
for f in *.v */*.v; do
  echo "$files" | grep -qx "$f" || [ "$f" = assumptions.v ] || { echo "not built: $f"; missing=1; }
done
report "$missing" "every file is part of the build"

# every file says what its names mean: a comment at its start with "name == meaning"
bare=0
for f in $files; do
  sed '/^(\*/!q' "$f" | grep -q ' == ' || { echo "no table of names: $f"; bare=1; }
done
report "$bare" "every file starts with a table of its names"

# every global name is defined once: an import cannot put another definition in its place
twice() { # twice GLOB...: the names that more than one of the files defines
  awk '/^(def|prf|thm|ind|rec|constr|proj|inst|coe|fix) [0-9:]+ <> / { print FILENAME, $4 }' "$@" | sort -u |
    cut -d' ' -f2 | sort | uniq -d
}
globs=$(echo "$files" | sed 's/v$/glob/')
# shellcheck disable=SC2086
names=$(twice $globs)
[ -z "$names" ] || echo "$names"
[ -z "$names" ]; report $? "every global name is defined once"
cp check.glob again.tmp
[ -n "$(twice check.glob again.tmp)" ]; report $? "a name that is defined twice is found"
rm -f again.tmp

# what check_sound says is in meaning/; what facts_sound says is not
./meaning.py >meaning.tmp
status=$?
tail -n 1 meaning.tmp
report "$status" "what check_sound mentions is in meaning/"
if ./meaning.py kinds_sound >meaning.tmp; then status=0; else status=1; fi
report "$status" "what kinds_sound mentions is in meaning/"
if ./meaning.py check_of_stack_sound >meaning.tmp; then status=0; else status=1; fi
report "$status" "what check_of_stack_sound mentions is in meaning/"
if ./meaning.py check_of_free_sound >meaning.tmp; then status=0; else status=1; fi
report "$status" "what check_of_free_sound mentions is in meaning/"
if ./meaning.py facts_sound >meaning.tmp; then status=1; else status=0; fi
report "$status" "a definition elsewhere is found"

# no statement without a proof
if grep -nwE 'Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Unset Guard Checking|bypass_check' *.v */*.v; then bad=1; else bad=0; fi
report "$bad" "no unproved statement, no axiom"

# no hypothesis outside a section: it would be an axiom under another name
outside=$(awk 'FNR == 1 { depth = 0 }
  /^[ \t]*Section[ \t]/ { depth++ }
  /^[ \t]*End[ \t]/ && depth > 0 { depth-- }
  depth == 0 && /^[ \t]*(#\[[^]]*\][ \t]*)?((Local|Global|Polymorphic)[ \t]+)?(Variables?|Hypothes[ei]s|Context)([ \t]|$)/ {
    print FILENAME ":" FNR ": " $0 }' *.v */*.v)
[ -z "$outside" ] || echo "$outside"
[ -z "$outside" ]; report $? "no hypothesis outside a section"

# assumptions of the headline theorems
coqc -w -notation-overridden,-ambiguous-paths -Q . Attest assumptions.v >assumptions.actual 2>&1
status=$?
report "$status" "assumptions.v compiles"
[ "$1" = --update ] && cp assumptions.actual assumptions.expected
# one check for each group
split_blocks() { awk '/^== /{name=$2} {print name "\t" $0}' "$1"; }
split_blocks assumptions.actual >actual.tmp
split_blocks assumptions.expected >expected.tmp
names=$(cat actual.tmp expected.tmp | cut -f1 | sort -u)
for name in $names; do
  a=$(awk -F'\t' -v n="$name" '$1==n' actual.tmp)
  b=$(awk -F'\t' -v n="$name" '$1==n' expected.tmp)
  if [ "$a" = "$b" ]; then report 0 "assumptions of $name"
  else report 1 "assumptions of $name differ from assumptions.expected"; fi
done

# the independent checker, for these files alone or for the libraries as well
mods=$(echo "$files" | sed 's/\.v$//; s#/#.#; s/^/Attest./')
[ -n "$LIBRARIES" ] || mods=$(echo "$mods" | sed 's/^/-norec /')
# shellcheck disable=SC2086
coqchk -silent -o -Q . Attest $mods >coqchk.tmp 2>&1
status=$?
[ "$status" -eq 0 ] || tail -n 30 coqchk.tmp
report "$status" "coqchk"
# ... and the context in which it accepts them: axioms (for coqchk a constant
# that a module signature hides is one, too; fewer of them are hidden in a
# library that it checks), sorted, and unsafe flags
{ grep '^\*' coqchk.tmp; grep '^    ' coqchk.tmp | LC_ALL=C sort; } >context.tmp
[ "$1" = --update ] && cp context.tmp coqchk.expected
[ -s context.tmp ] && ! grep -vxF -f coqchk.expected context.tmp
report $? "the context of coqchk is what is expected"

if [ -n "$COVERAGE" ]; then
  # shellcheck disable=SC2086
  (cd ../.. && tests/formal/check_proved $COVERAGE) >coverage.tmp 2>&1
  status=$?
  cat coverage.tmp
  report "$status" "the proved checker agrees with attest-check"
fi
finish
