#!/bin/sh
# Tries the steps of the Dockerfile in an empty folder, where there is no Docker: sh examples/deploy/try.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/build" "$folder/app" "$folder/data"
(cd "$root" && git archive HEAD) | tar -x -C "$folder/build"
cd "$folder/build"
npm ci
npm run build
npm prune --omit=dev
cp -R node_modules packages package.json "$folder/app"
cd "$folder/app"
echo '["change-me-please", { "key": "change-me-feed", "operations": ["ingest"] }]' > "$folder/keys.json"
node packages/cli/bin/swapfold.js serve --db "$folder/data/live.db" --port 18080 --keys "$folder/keys.json" --ingest &
server=$!
for _ in $(seq 1 60); do
  if node -e "fetch('http://127.0.0.1:18080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; then
    echo 'It serves.'
    exit 0
  fi
  sleep 1
done
echo 'It did not become ready within a minute.' >&2
exit 1
