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
# The databases that new ones are copied from would be most of the file.
node --input-type=module -e "
  const { openPglite } = await import('$checkout/src/store/engine/durable-pglite.ts');
  const db = await openPglite({ directory: '$work/data/database' });
  await db.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await db.exec('drop database ' + name);
  await db.exec('vacuum full');
  await db.exec('checkpoint');
  // What was logged before a checkpoint is not needed: a new segment is mostly zeros.
  await db.exec('select pg_switch_wal()');
  await db.exec('checkpoint');
  const { rows } = await db.query('select name, \"offset\" from (select (pg_walfile_name_offset(pg_current_wal_lsn())).*) as at (name, \"offset\")');
  await db.close();
  const { readdirSync, rmSync, openSync, writeSync, closeSync } = await import('node:fs');
  const log = '$work/data/database/pg_wal/';
  for (const name of readdirSync(log)) if (/^[0-9A-F]{24}$/.test(name) && name !== rows[0].name) rmSync(log + name);
  // Behind the last record lies what the file held before it was used again.
  const end = rows[0].offset + 65536;
  const file = openSync(log + rows[0].name, 'r+');
  writeSync(file, Buffer.alloc(16 * 2 ** 20 - end), 0, 16 * 2 ** 20 - end, end);
  closeSync(file);
"
rm -f "$work/data/database"/{base,global}/*/pg_internal.init "$work/data/database/global/pg_internal.init"
rm -f "$work/data/owner.lock" "$work/data/.s.PGSQL.5432"
tar --sort=name --owner=0 --group=0 --mtime=2026-11-23 -C "$work/data" -cf - . | zstd -19 --long=27 -q -f -o "$output"
ls -l "$output"
