#!/usr/bin/env bash
# Makes `data-folder-0017.tar.zst`: the data folder of a service of the version whose last migration is 0017, with an account, a key
# and a few events. It is kept so that tests can open it with later versions; make it again only if the file is lost.
#
#   make-data-folder.sh CHECKOUT OUTPUT     CHECKOUT: that version (commit 94900da) with its packages installed
set -euo pipefail
checkout=$(cd "${1:?the checkout of commit 94900da}" && pwd)
output=$(realpath "${2:?the file to write}")
here=$(cd "$(dirname "$0")" && pwd)
export MARQUEE_DATA_DIR PATH="$checkout/node_modules/.bin:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MARQUEE_DATA_DIR=$work/data

marquee() { node "$checkout/bin/marquee.mjs" "$@"; }
marquee account create --email ada@marquee.example --tier growth
marquee key create --account ada@marquee.example >"$work/data/key"
mkdir "$work/bundle"
cat >"$work/bundle/city.json" <<'END'
{"slug":"tidewater","name":"Tidewater","timezone":"America/New_York","currency":"USD","locale":"en-US","center":{"latitude":40.05,"longitude":-73.95}}
END
cat >"$work/bundle/venues.ndjson" <<'END'
{"externalId":"cellar","name":"The Cellar","type":"club","latitude":40.05,"longitude":-73.95,"isVerified":true}
END
cat >"$work/bundle/events.ndjson" <<'END'
{"externalId":"one","title":"Night of Fiddles","category":"concert","startDatetime":"2096-06-20T20:00","isFree":false,"priceMin":10,"priceMax":20,"venue":"cellar"}
{"externalId":"two","title":"Night of Drums","category":"concert","startDatetime":"2096-06-21T20:00","isFree":true,"venue":"cellar"}
{"externalId":"three","title":"Morning of Books","category":"community","startDatetime":"2096-06-22T09:00","isFree":true,"venue":"cellar"}
END
marquee import "$work/bundle"
"$here/pack-folder.sh" "$checkout" "$work/data" "$output"
