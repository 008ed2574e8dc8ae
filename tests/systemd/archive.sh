#!/usr/bin/env bash
# Gathers the Debian packages that the companion's own needs into a small archive, so that installing needs no network,
# and makes two roots from it beside the clean one: archive.sh. They stay in the cache until the package's needs change.
#   trixie-ARCH-deb    what the package depends on is there, and lintian
#   trixie-ARCH-cloud  cloud-init and nothing of the companion's: a card before its first start
set -euo pipefail
suite=trixie arch=$(dpkg --print-architecture)
here=$(cd "$(dirname "$0")" && pwd)
roots=${COMPANION_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/roots}
clean=$roots/$suite-$arch archive=$roots/../archive/$suite-$arch
control=$here/../../systemd/deb/control
mark=$(cat "$control" "$0" | sha256sum | cut -c1-16)
if [ "$(cat "$archive/.made" 2>/dev/null)" = "$mark" ]; then
  echo "The archive is there already: $archive"
  exit 0
fi
"$here/root.sh" "$suite"
depends=$(sed -n 's/^Depends: //p' "$control" | sed 's/([^)]*)//g; s/,/ /g')
# Of what is recommended, Debian's own archive has these in versions that fit, and OpenCV, which would take 200 more.
recommended="python3-numpy mosquitto"
rm -rf "$archive" "$clean-deb" "$clean-cloud"
mkdir -p "$archive"

# in_root ROOT COMMAND…: runs it there, with this machine's name servers.
in_root() {
  local root=$1
  shift
  DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

made() { # NAME PACKAGE…: a root made from the clean one, with these packages
  local root=$clean-$1
  shift
  cp -a --reflink=auto "$clean" "$root"
  rm -f "$root/.made"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # A service that is started here would go on running outside of any machine.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  echo "deb ${COMPANION_MIRROR:-http://deb.debian.org/debian} $suite main" >"$root/etc/apt/sources.list"
  in_root "$root" apt-get -q update
  # shellcheck disable=SC2086
  in_root "$root" apt-get -q install -y --download-only --no-install-recommends $depends $recommended cloud-init
  cp -n "$root"/var/cache/apt/archives/*.deb "$archive/"
  in_root "$root" apt-get -q install -y --no-install-recommends "$@"
  in_root "$root" apt-get -q clean
  rm -rf "$root/usr/sbin/policy-rc.d" "$root"/var/lib/apt/lists/*
  # The machine has no network here: what waits for one would wait in vain.
  : >"$root/etc/apt/sources.list"
  touch "$root/.made"
}

# shellcheck disable=SC2086
made deb $depends lintian
made cloud cloud-init
(
  cd "$archive"
  for file in *.deb; do
    dpkg-deb --field "$file"
    echo "Filename: ./$file"
    stat -c 'Size: %s' "$file"
    sha256sum "$file" | sed 's/ .*//; s/^/SHA256: /'
    echo
  done >Packages
)
echo "$mark" >"$archive/.made"
echo "The archive is at $archive: $(find "$archive" -name '*.deb' | wc -l) packages, $(du -smL "$archive" | cut -f1) MB"
