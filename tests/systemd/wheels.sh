#!/usr/bin/env bash
# Collects the Python packages for a root made by root.sh with `ready`, so that its installation needs no network:
# wheels.sh SUITE [ARCHITECTURE]. They are cached until pyproject.toml changes.
set -euo pipefail
suite=$1 arch=${2:-$(dpkg --print-architecture)}
project=$(cd "$(dirname "$0")/../.." && pwd)
roots=${COMPANION_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/roots}
folder=$roots/../wheels/$suite-$arch
mark=$(sha256sum "$project/pyproject.toml" | cut -c1-16)
if [ "$(cat "$folder/.made" 2>/dev/null)" = "$mark" ]; then
  echo "The packages are there already: $folder"
  exit 0
fi
mkdir -p "$folder"
rm -f "$folder"/*.whl
options=()
for path in /etc/pip.conf /etc/ssl/certs /opt/wheels /opt/pypi /opt/pypi-more; do
  [ ! -e "$path" ] || options+=("--bind-ro=$path")
done
while IFS= read -r setting; do
  options+=("--setenv=$setting")
done < <(env | grep '^PIP_' || true)
systemd-nspawn --quiet --directory "$roots/$suite-$arch-ready" --volatile=overlay --register=no --keep-unit --pipe \
  --bind-ro="$project:/src" --bind="$folder:/wheels" "${options[@]}" /src/systemd/install --collect /wheels </dev/null
# The companion itself is built each time.
rm -f "$folder"/table_companion-*.whl
echo "$mark" >"$folder/.made"
