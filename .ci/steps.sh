# What each step of `.ci/run` does: functions that end with another status than 0 when something does not hold. They share `$tmp`, the
# folder of the run, and `$commits`, the number of commits.

schemathesis_version=4.32.5
standardwebhooks_version=1.1.0
icalendar_version=7.3.0
pyarrow_version=26.0.1
requests_version=2.32.5
mcp_conformance_version=0.2.0-alpha.12
gpt_tokenizer_version=4.0.0
# An enterprise key is admitted 1 000 times a minute.
requests_per_minute=900
# Forms with the parameters of others: calendars and GeoJSON stand for all. The limit of requests is what takes the time.
alike='/(events|venues)\.(rss|atom|feed\.json|csv|ndjson|jsonld)$'

# Debian's packages, those that are missing. Their own services are not started (RUNLEVEL), and no cluster is made for them.
install_servers() {
  local wanted=() asroot=()
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted+=(postgresql)
  command -v redis-server >/dev/null || wanted+=(redis-server)
  # The tests take the shell, which is quicker; the bench paints with the whole browser.
  command -v chromium-headless-shell >/dev/null || wanted+=(chromium-headless-shell)
  command -v chromium >/dev/null || wanted+=(chromium)
  command -v git >/dev/null || wanted+=(git)
  command -v curl >/dev/null || wanted+=(curl)
  # A load balancer, as in `deploy`.
  command -v caddy >/dev/null || wanted+=(caddy)
  command -v systemd-analyze >/dev/null || wanted+=(systemd)
  # A receiver of webhooks in Go.
  command -v go >/dev/null || wanted+=(golang-go)
  # The examples of the documents.
  command -v php >/dev/null || wanted+=(php-cli)
  command -v ruby >/dev/null || wanted+=(ruby)
  # Moves the clock of a running service.
  ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || wanted+=(libfaketime)
  python3 -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3-venv)
  [ ${#wanted[@]} -gt 0 ] || { echo 'nothing is missing'; return; }
  [ "$(id -u)" = 0 ] || asroot=(sudo -n)
  if [[ " ${wanted[*]} " == *' postgresql '* ]] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    "${asroot[@]}" mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' | "${asroot[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
  "${asroot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${asroot[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${wanted[@]}" >"$tmp/apt.log" 2>&1 || { tail -40 "$tmp/apt.log"; return 1; }
  echo "installed ${wanted[*]}"
}

start_servers() {
  local port
  timeout 120 .ci/postgres start "$tmp/postgres" >"$tmp/postgres.url"
  cat "$tmp/postgres.url"
  # For tests of counters that several replicas share.
  port=$(free_port)
  mkdir "$tmp/redis"
  redis-server --port "$port" --bind 127.0.0.1 --dir "$tmp/redis" --save '' --appendonly no >"$tmp/redis.log" 2>&1 &
  echo $! >"$tmp/redis.pid"
  for _ in $(seq 50); do redis-cli -p "$port" ping 2>/dev/null | grep -q PONG && break; sleep 0.1; done
  redis-cli -p "$port" ping
  echo "redis://127.0.0.1:$port" >"$tmp/redis.url"
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

install_project() {
  timeout 600 npm ci 2>&1 | tee "$tmp/install.log"
  # Where the audit cannot be reached npm says nothing of it, and that is no fault of ours.
  if grep -Eq '(^|[^0-9])[1-9][0-9]* .*vulnerabilit' "$tmp/install.log"; then return 1; fi
}

lint() { timeout 300 npm run --silent lint; }
types() { timeout 300 npm run --silent types; }
unused() { timeout 300 npm run --silent unused; }
# Tests and services find them built.
build_pages() { timeout 300 npm run --silent build; }

# Everything but the long tier: each file on the quicker engine, what may differ on both, and a sample of the rest on both.
tests() { MARQUEE_TEST_TURN=$commits vitest embedded --mode check; }
tests_on_postgres() { MARQUEE_TEST_TURN=$commits vitest postgres --mode check; }

# long_tests FOLDER…: of these folders, what `tests` leaves out.
long_tests() {
  local folder filters=()
  for folder in "$@"; do filters+=("test/$folder/"); done
  vitest embedded --mode long "${filters[@]}"
}

# long_tests_elsewhere FOLDER…: of all folders but these.
long_tests_elsewhere() {
  local folder filters=()
  for folder in "$@"; do filters+=(--exclude "test/$folder/**"); done
  vitest embedded --mode long "${filters[@]}"
}

# Half of the check's tests, on a clock that soon shows the end of a day or a year, or the hour at which Port Alder's night ends.
tests_at_another_moment() {
  local moments=('2026-12-31 23:58:00' '2027-02-28 23:58:00' '2027-03-14 05:58:00' '2027-06-15 09:58:00')
  at=(.ci/at "${moments[commits / ${#slices[@]} % 4]}")
  "${at[@]}" date
  vitest embedded --mode check --shard "$((commits / ${#slices[@]} / 4 % 2 + 1))/2"
}

# vitest ENGINE OPTION…: no test may fail, and none may be skipped. `at` holds the words before its command.
at=()
vitest() {
  local status=0 report
  report=$(mktemp "$tmp/vitest-XXXX")
  MARQUEE_TEST_ENGINE=$1 MARQUEE_TEST_DATABASE_URL=$(cat "$tmp/postgres.url") MARQUEE_TEST_REDIS_URL=$(cat "$tmp/redis.url") \
    timeout 1500 "${at[@]}" node_modules/.bin/node node_modules/vitest/vitest.mjs run "${@:2}" --reporter=default \
    --reporter=./test/support/runs/slowest-files.ts --reporter=json --outputFile.json="$report" || status=$?
  # What failed or was skipped, by name.
  node -e '
    const { numTotalTests, numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    const others = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status !== "passed");
    for (const { fullName, status } of others) console.error(`${status}: ${fullName}`);
    const skipped = numPendingTests + numTodoTests;
    console.log(`${numPassedTests} of ${numTotalTests} tests passed, ${skipped} skipped`);
    require("fs").appendFileSync(process.argv[2], `${numPassedTests} ${numTotalTests - numPassedTests - skipped} ${skipped}\n`);
    process.exit(numTotalTests > 0 && numPassedTests === numTotalTests ? 0 : 1);
  ' "$report" "$tmp/counts"
  return $status
}

# faults KIND [ENGINE]: against services, and a PostgreSQL, of their own.
faults() { timeout 900 npm run --silent faults -- --short --kind "$1" ${2:+--engine "$2"}; }

# Every answer, page, file and help text is as recorded: CONTRIBUTING says what to do where a difference is wanted.
prove() { timeout 600 npm run --silent proof; }

# Without the parts that start many services, `redis` and `visitors`: other tests start the same services.
bench() { timeout 600 npm run --silent bench -- --smoke --only limiter,directory,growth,ingest,exports,webhooks; }

# Signatures are taken by the official libraries of other languages. All is built first: messages are good for five minutes.
verify_webhooks() {
  python3 -m venv "$tmp/webhooks-venv"
  "$tmp/webhooks-venv/bin/pip" install --quiet --disable-pip-version-check "standardwebhooks==$standardwebhooks_version"
  (cd .ci/verify-webhooks && GOPATH="$tmp/go" GOCACHE="$tmp/go-build" GOFLAGS='-modcacherw -mod=readonly' GOTOOLCHAIN=local \
    timeout 300 go build -o "$tmp/verify-webhooks" .)
  node_modules/.bin/node test/support/processes/webhook-vectors-child.ts "$tmp/webhooks.json"
  PYTHONDONTWRITEBYTECODE=1 timeout 120 "$tmp/webhooks-venv/bin/python" .ci/verify_webhooks.py "$tmp/webhooks.json"
  timeout 60 "$tmp/verify-webhooks" "$tmp/webhooks.json"
}

# The clients as packages, built and installed as a developer would, with a test key against the running service.
run_clients() {
  local url key
  url=$(cat "$tmp/service.url")
  key=$(MARQUEE_DATA_DIR=$tmp/data LOG_LEVEL=warn node_modules/.bin/node bin/marquee.mjs key create \
    --account demo@marquee.example --name clients --tier enterprise --test)
  mkdir "$tmp/clients"
  cp -r clients/python "$tmp/clients/python"
  (cd clients/typescript && npm pack --silent --pack-destination "$tmp/clients" >/dev/null)
  (cd "$tmp/clients" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent ./marquee-client-*.tgz)
  python3 -m venv "$tmp/clients/venv"
  "$tmp/clients/venv/bin/pip" install --quiet --disable-pip-version-check "$tmp/clients/python"
  node .ci/first-example.mjs clients/typescript/README.md ts "$url" >"$tmp/clients/example.mjs"
  node .ci/first-example.mjs clients/python/README.md python "$url" >"$tmp/clients/example.py"
  (cd "$tmp/clients" && MARQUEE_KEY=$key timeout 60 node example.mjs)
  (cd "$tmp/clients" && MARQUEE_KEY=$key timeout 60 venv/bin/python example.py)
}

# The package as an operator gets it.
try_package() { timeout 300 .ci/try-package "$tmp/package"; }

# The examples of the documents in all languages.
run_examples() {
  local key
  key=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).growth' "$tmp/data/demo-keys.json")
  python3 -m venv "$tmp/examples-venv"
  "$tmp/examples-venv/bin/pip" install --quiet --disable-pip-version-check "requests==$requests_version"
  MARQUEE_KEY=$key GOTOOLCHAIN=local GOCACHE=$tmp/go-build PATH=$tmp/examples-venv/bin:$PATH \
    timeout 400 node_modules/.bin/node clients/generate/run-examples.ts "$(cat "$tmp/service.url")"
}

# Lists with hostile texts in every form, and exports in every format, read by libraries of another language.
read_forms() {
  node_modules/.bin/node test/support/processes/hostile-forms-child.ts "$tmp/forms"
  node_modules/.bin/node test/support/processes/hostile-exports-child.ts "$tmp/exports"
  python3 -m venv "$tmp/forms-venv"
  "$tmp/forms-venv/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    "icalendar==$icalendar_version" "pyarrow==$pyarrow_version"
  PYTHONDONTWRITEBYTECODE=1 timeout 120 "$tmp/forms-venv/bin/python" .ci/read_forms.py "$tmp/forms"
  PYTHONDONTWRITEBYTECODE=1 timeout 120 "$tmp/forms-venv/bin/python" .ci/read_exports.py "$tmp/exports"
}

# Assistants: the protocol's own runner, with no failure excused. Most of its scenarios want tools of their own: those stand behind the same
# dispatcher in a process for tests.
mcp_conformance() {
  local url revision
  mkdir -p "$tmp/mcp"
  (cd "$tmp/mcp" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent \
    "@modelcontextprotocol/conformance@$mcp_conformance_version" "gpt-tokenizer@$gpt_tokenizer_version")
  node_modules/.bin/node test/support/processes/mcp-conformance-child.ts >"$tmp/mcp/url" &
  echo $! >"$tmp/mcp.pid"
  for _ in $(seq 150); do [ -s "$tmp/mcp/url" ] && break; kill -0 "$(cat "$tmp/mcp.pid")"; sleep 0.2; done
  url=$(cat "$tmp/mcp/url")
  for revision in 2026-07-28 2025-11-25; do
    mcp_runner "$url" --requirements "$revision"
  done
  kill "$(cat "$tmp/mcp.pid")"
}

# Against the service itself: every scenario that needs no tool of the runner's, and how many tokens the definitions of all tools take.
mcp_service() {
  local url scenario
  url=$(cat "$tmp/service.url")
  for scenario in completion-complete tools-list resources-list prompts-list sep-2164-resource-not-found dns-rebinding-protection \
    caching server-sse-multiple-streams http-header-validation; do
    mcp_runner "$url" --scenario "$scenario" --spec-version 2026-07-28
  done
  for scenario in server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection; do
    mcp_runner "$url" --scenario "$scenario" --spec-version 2025-11-25
  done
  node_modules/.bin/node .ci/count-mcp-tokens.mjs "$url" "$tmp/mcp/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js"
}

# mcp_runner URL OPTION…: shows the summary alone.
mcp_runner() {
  local status=0
  timeout 300 node_modules/.bin/node "$tmp/mcp/node_modules/@modelcontextprotocol/conformance/dist/index.js" server \
    --url "$1/mcp" "${@:2}" >"$tmp/mcp/out" 2>&1 || status=$?
  [ $status = 0 ] || cat "$tmp/mcp/out"
  grep -E '^(✗|Total|Not scored|Passed)' "$tmp/mcp/out" || tail -3 "$tmp/mcp/out"
  return $status
}

start_service() {
  MARQUEE_DATA_DIR=$tmp/data PORT=0 MARQUEE_METRICS_PORT=0 LOG_LEVEL=warn \
    node_modules/.bin/node bin/marquee.mjs start >"$tmp/service.out" 2>"$tmp/service.log" &
  echo $! >"$tmp/service.pid"
  for _ in $(seq 900); do grep -q '^listening on ' "$tmp/service.out" && break; kill -0 "$(cat "$tmp/service.pid")"; sleep 0.2; done
  sed -n 's/^listening on //p' "$tmp/service.out" >"$tmp/service.url"
  curl -fsS "$(cat "$tmp/service.url")/readyz"
  echo
}

# fuzz EXAMPLES: that many of each operation.
fuzz() {
  local url key status=0
  export SCHEMATHESIS_HOOKS=unstated_rules PYTHONPATH=$PWD/.ci PYTHONDONTWRITEBYTECODE=1
  url=$(cat "$tmp/service.url")
  key=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).enterprise' "$tmp/data/demo-keys.json")
  [ -d "$tmp/venv" ] || python3 -m venv "$tmp/venv"
  "$tmp/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$schemathesis_version"
  (cd "$tmp" && timeout 900 venv/bin/schemathesis run "$url/openapi.json" --header "X-API-Key: $key" --checks all \
    --exclude-path-regex "$alike" --max-examples "$1" --rate-limit "$requests_per_minute/m" --seed 20260616 --generation-database none \
    --request-timeout 10 --no-color) | sed -u -E 's/^=+ (.*[^ =]) =+$/\1/' || status=$?
  # Whatever was sent: it lives, and nothing broke on our side.
  curl -fsS "$url/healthz"
  echo
  if grep '"a request failed"' "$tmp/service.log"; then status=1; fi
  return $status
}

