#!/bin/sh
# Allocations a row of the seventeen predicates: what ten more passes over 2,000 people allocate, as valgrind counts it.
# `KIND=columnpasses` asks a table. Needs valgrind and a release build of `bench`.
cd "$(dirname "$0")" || exit 1
bench=$(swift build -c release --show-bin-path)/bench
allocations() {
    valgrind "$bench" "${KIND:-passes}" "$1" 2000 "$2" 2>&1 | sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}
status=0
for id in ${*:-P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13 P14 P15 P16 P17}; do
    more=$(($(allocations "$id" 11) - $(allocations "$id" 1)))
    echo "$id: $more allocations in 10 passes, $((more / 20000)) a row"
    [ "$more" -lt 2000 ] || status=1
done
exit $status
