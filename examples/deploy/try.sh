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
node packages/cli/bin/swapfold.js wait --url http://127.0.0.1:18080
echo 'It serves.'
