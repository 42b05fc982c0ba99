# Sourced by the scripts of this folder: copies of the tracked tree, steps with their seconds, commands of the README. After a
# failed step the others still run; the end lists the seconds of all and the steps that failed, and the status is then 1.
set -uo pipefail
set -m # a step is a process group, which can be ended as a whole

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
export MPLBACKEND=Agg GINKGO_CACHE_DIR="$work/cache"
unset VIRTUAL_ENV PYTHONPATH
unset PYTHONDONTWRITEBYTECODE # tests are collected by many processes, which share what pytest has rewritten
exec < /dev/null

finish() {
    local status=$? job
    trap '' INT TERM
    for job in $(jobs -p); do kill -- "-$job" 2> /dev/null; done
    wait
    printf '\n=== seconds\n'
    cat "$work/table" 2> /dev/null
    printf '%5d  in all\n' $SECONDS
    [ ! -s "$work/failed" ] || { printf '\n=== failed\n' && cat "$work/failed" && status=1; }
    rm -rf "$work"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

enter() { # a copy of the tracked tree, so that nothing untracked helps
    local git=(git -c safe.directory='*' -C "$root")
    mkdir -p "$work/$1" && "${git[@]}" archive HEAD | tar -x -C "$work/$1" && cd "$work/$1" || exit 1
    [ -z "$("${git[@]}" status --porcelain)" ] || echo "Note: changes that are not committed are not tested."
}

step() { # a name and a command; ends with what failed in it
    local name=$1 start=$SECONDS status=0
    shift
    printf '\n=== %s\n' "$name"
    (set -e; "$@") & # not before "||", where bash would go on after a failed command
    wait $! || status=$?
    printf -- '--- %s: %d s\n' "$name" $((SECONDS - start))
    [ $status = 0 ] || echo "$name" >> "$work/failed"
    printf '%5d  %s%s\n' $((SECONDS - start)) "$name" "$([ $status = 0 ] || echo ': FAILED')" >> "$work/table"
    return $status
}

side_by_side() { # two lists of steps; the output of the second comes after that of the first
    "$2" > "$work/second" 2>&1 &
    "$1"
    wait
    cat "$work/second"
}

# A command of the README, found there, so that what is tested is what is written.
readme() { grep -m1 -E "$1" README.md; }

one_game_of_each() { # with the Python of an environment, away from the sources
    (cd "$work" && "$1/bin/python" "$OLDPWD/tests/packaging/one_game_of_each.py")
    "$1/bin/python" -c "import ginkgo_table.web.server"
    "$1/bin/ginkgo" leaderboard --game my_city --agents random,greedy --games 2 --out "$1/leaderboard"
}

types() { # the packages, and the examples that people copy
    .venv/bin/mypy
    .venv/bin/python - "$work" << 'END'
import pathlib, re, sys
for i, code in enumerate(re.findall(r"```python\n(.*?)```", pathlib.Path("README.md").read_text(), re.DOTALL)):
    pathlib.Path(sys.argv[1], f"readme_{i}.py").write_text(code)
END
    MYPYPATH=docs/_site .venv/bin/mypy --strict docs/*.py docs/_site/*.py benchmarks/peers.py "$work"/readme_*.py
    MYPYPATH=tests/trial_game .venv/bin/mypy --strict -p three_cards
}
