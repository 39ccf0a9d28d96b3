#!/usr/bin/env bash
# Packs the data folder of a service that was stopped in order. What an embedded database needs no more is left out: the databases that
# new ones are copied from, deleted rows, and the log before the last checkpoint.
#
#   pack-folder.sh CHECKOUT FOLDER OUTPUT     CHECKOUT: the version that made it, with its packages installed
set -euo pipefail
checkout=$(cd "${1:?a checkout of the version that made the folder}" && pwd)
data=$(cd "${2:?the data folder}" && pwd)
output=$(realpath "${3:?the file to write}")
PATH="$checkout/node_modules/.bin:$PATH"
# The databases that new ones are copied from would be most of the file.
node --input-type=module -e "
  const { openPglite } = await import('$checkout/src/store/engine/durable-pglite.ts');
  const db = await openPglite({ directory: '$data/database' });
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
  const log = '$data/database/pg_wal/';
  for (const name of readdirSync(log)) if (/^[0-9A-F]{24}$/.test(name) && name !== rows[0].name) rmSync(log + name);
  // Behind the last record lies what the file held before it was used again.
  const end = rows[0].offset + 65536;
  const file = openSync(log + rows[0].name, 'r+');
  writeSync(file, Buffer.alloc(16 * 2 ** 20 - end), 0, 16 * 2 ** 20 - end, end);
  closeSync(file);
"
rm -f "$data/database"/{base,global}/*/pg_internal.init "$data/database/global/pg_internal.init"
rm -f "$data/owner.lock" "$data/.s.PGSQL.5432"
tar --sort=name --owner=0 --group=0 --mtime=2026-11-23 -C "$data" -cf - . | zstd -19 --long=27 -q -f -o "$output"
ls -l "$output"
